// SPDX-License-Identifier: Apache-2.0
//
// Writes ranks as they are seen, under mutations or not, back to artifacts:
// audited from there they give the findings that they give as views.
#pragma once

#include <string>
#include <vector>

#include "graph_coverage/gendir.h"
#include "graph_coverage/model/view.h"

namespace graph_coverage {

struct MutantForm {
  bool compact = false;  // the task graph without white space
};

// The two files of each view, in memory, named as they were when they were
// read. The graph is written in the version that it was read in. Of the
// kernel source only what a KernelSource holds is written.
Gendir MakeMutant(const std::string& name, const std::vector<View>& views,
                  const MutantForm& form = {});

// The same files in `directory`, which is made if it is absent. Throws
// std::runtime_error where one cannot be written, naming it.
void WriteMutant(const std::string& directory, const std::vector<View>& views,
                 const MutantForm& form = {});

}  // namespace graph_coverage
