# SPDX-License-Identifier: Apache-2.0
"""Tests of a megakernel's wiring, for pytest or `python3 -m unittest`.

GENDIR names the artifacts; not set: build/gendir.
"""
import os
import unittest

from coverage_audit import audit, coverage_of, messages_of

GENDIR = os.environ.get("GENDIR", "build/gendir")


class Wiring(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.report = audit(GENDIR)

    def test_is_complete(self):
        self.assertEqual(self.report["verdict"], "pass",
                         "\n".join(messages_of(self.report)))

    def test_every_layer_reads_the_rope_tables(self):
        for table in ("rope_cos", "rope_sin"):
            reads = coverage_of(self.report, table)["reads_by_layer"]
            self.assertEqual(len(reads), 78, table)
            self.assertEqual(set(reads.values()), {2}, table)


if __name__ == "__main__":
    unittest.main()
