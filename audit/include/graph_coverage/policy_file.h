// SPDX-License-Identifier: Apache-2.0
//
// The policy as a file, graph_coverage.json: JSON with comments, and commas
// after the last item where you like. docs/policy.md explains it,
// docs/policy.schema.json describes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph_coverage/gendir.h"
#include "graph_coverage/policy.h"
#include "graph_coverage/report.h"

namespace graph_coverage {

inline constexpr const char* kPolicyFileName = "graph_coverage.json";

// Reads a policy file. Throws InputError, with file, line and column, where it
// cannot be read or says what a policy cannot say.
Policy ReadPolicy(const std::string& path);
// The same of a text; `file` is its name in errors and in the policy.
Policy ParsePolicy(std::string_view text, const std::string& file);

// The policy file that lies beside the gendir: graph_coverage.json in it, else
// in the directory that holds it. Empty where there is none, and for gendirs in
// memory.
std::string FindPolicyFile(const Gendir& gendir);

// `policy`, unless nothing of it is set: then what the policy file beside the
// gendir says, where there is one. Throws InputError as ReadPolicy does, and
// where the gendir is a null pointer.
Policy PolicyFor(const Gendir& gendir, const Policy& policy = {});

// A policy file that would waive the warnings and errors of the report: one
// waiver a finding, folded as the findings are. Each is commented out and asks
// for a decision: mend, keep for good, or keep for now.
std::string WriteWaivers(const Report& report);

}  // namespace graph_coverage
