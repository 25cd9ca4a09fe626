// SPDX-License-Identifier: Apache-2.0
//
// The museum of public bugs as one table: each exhibit is a healthy synthetic
// model, one located edit, and all that the audit must then find. The tests
// and docs/museum.md read it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph_coverage/audit.h"
#include "graph_coverage/synthetic/program.h"
#include "tests/museum/edit.h"

namespace graph_coverage::museum {

// Which member of a kind of fault: the layer that it is in, and which of the
// tensors, slots or ways it can have.
struct Site {
  std::uint32_t layer = 2;
  std::uint32_t member = 0;
};

// A healthy model, and what is done to it. Before it is written, the program
// is edited; then each rank.
struct Specimen {
  synthetic::Program (*healthy)() = nullptr;
  void (*edit_program)(synthetic::Program&, const Site&) = nullptr;
  void (*edit_rank)(Edit&, const Site&) = nullptr;
  Policy policy;  // of both audits
  // The day of the faulty audit, where it is not the policy's.
  std::string later = {};
  // Whether the faulty audit is held against the recorded healthy model.
  bool contract = false;
};

// The sites of a kind: each must be found as the exhibit's own is, by one of
// `rules`, in its layer where the finding has one.
struct Kind {
  std::uint32_t first_layer = 0;
  std::uint32_t end_layer = 1;
  std::uint32_t members = 1;
  std::vector<std::string> rules;
};

struct Exhibit {
  std::string name;       // "rope-tables-unread"
  int row = 0;            // of the list of public bugs, from 1
  std::string reference;  // where it was reported
  std::string fault;      // what went wrong, in words
  std::string edit;       // what is edited
  Specimen specimen;
  std::vector<std::string> expected;  // all findings: see LinesOf
  // Why artifacts cannot show it, or not all of it; else empty.
  std::string unseen;
  std::vector<Kind> kind;  // none or one
};

// Thirty-three public bugs in the order of their rows.
const std::vector<Exhibit>& Exhibits();

// The rooms of the table.
std::vector<Exhibit> WiringExhibits();   // declared and consumed, code
std::vector<Exhibit> SiblingExhibits();  // layers, ranks, tiles
std::vector<Exhibit> EventExhibits();    // events and order
std::vector<Exhibit> MemoryExhibits();   // what lies in buffers
std::vector<Exhibit> PolicyExhibits();   // what is so on purpose

// The audit of the specimen as it should be.
Report AuditHealthy(const Specimen& specimen);

struct FaultyAudit {
  Report report;
  std::vector<std::string> mutations;  // ids, where the edit is one
};
FaultyAudit AuditFaulty(const Specimen& specimen, const Site& site = {});

// Whether the twin has no finding of the same rule and subject.
bool IsNew(const Finding& finding, const Report& twin);

// A line a finding, in the report's order:
//   error layer-gap TASK_RMS_NORM layers 2
// rule, subject, layers, and ranks where it is not on all; consequences
// follow their root after "  -> ".
std::vector<std::string> LinesOf(const Report& report);

}  // namespace graph_coverage::museum
