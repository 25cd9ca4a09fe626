// SPDX-License-Identifier: Apache-2.0
//
// The report of a gendir, read once in a process however often it is asked for.
#pragma once

#include <memory>

#include "graph_coverage/audit.h"

namespace graph_coverage {

// As Audit(gendir, options), kept for the life of the process: asking again for
// the same folder with the same options reads nothing, until a file of the
// folder changes (its size or its time of last writing), or what the policy
// file beside it says; then it is audited anew. A folder written within the
// last moments is never taken as unchanged, since its files' times could not
// tell. Gendirs in memory are not kept.
//
// Safe to call from several threads; they wait for one audit. Never null.
std::shared_ptr<const Report> Audited(const Gendir& gendir,
                                      const AuditOptions& options = {});

}  // namespace graph_coverage
