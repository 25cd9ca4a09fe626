# SPDX-License-Identifier: Apache-2.0
# Finds what the project builds on. A missing package is an error that names
# the Debian packages to install.

set(GRAPH_COVERAGE_DEBIAN_PACKAGES
    libcli11-dev libfmt-dev libgmock-dev libgtest-dev librapidcheck-dev
    nlohmann-json3-dev)

# graph_coverage_find(<package> [version]): find_package, or stop with the
# line that installs everything.
macro(graph_coverage_find package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    list(JOIN GRAPH_COVERAGE_DEBIAN_PACKAGES " " packages)
    message(FATAL_ERROR
            "mirage-graph-coverage needs ${package}, which was not found. "
            "On Debian 12:\n  apt-get install ${packages}")
  endif()
endmacro()

find_package(Threads REQUIRED)
graph_coverage_find(fmt 9)
graph_coverage_find(nlohmann_json 3.11)
graph_coverage_find(CLI11 2.1)
graph_coverage_find(GTest 1.12)
graph_coverage_find(rapidcheck)
