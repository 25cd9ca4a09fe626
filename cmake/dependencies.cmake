# SPDX-License-Identifier: Apache-2.0
# Finds what the project builds on. Whatever is missing is one configure error
# with the one line that installs it.

set(GRAPH_COVERAGE_MISSING "")

# graph_coverage_find(<package> [version]): find_package, or take note.
macro(graph_coverage_find package)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    string(JOIN " " wanted ${package} ${ARGN})
    if(${package}_CONSIDERED_VERSIONS)
      string(APPEND wanted " (found only ${${package}_CONSIDERED_VERSIONS})")
    endif()
    list(APPEND GRAPH_COVERAGE_MISSING "${wanted}")
  endif()
endmacro()

# graph_coverage_require_found(<purpose>…): stops if graph_coverage_find took
# note of anything; prints the Debian packages of these purposes.
function(graph_coverage_require_found)
  if(NOT GRAPH_COVERAGE_MISSING)
    return()
  endif()
  set(list ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/debian-packages.txt)
  file(STRINGS ${list} lines REGEX "^[a-z0-9]")
  set(packages "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([^ ]+) +([^ ]+)$" matched "${line}")
    if(CMAKE_MATCH_2 IN_LIST ARGN)
      string(APPEND packages " ${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(JOIN GRAPH_COVERAGE_MISSING "\n  " missing)
  message(FATAL_ERROR "mirage-graph-coverage needs packages that CMake did "
                      "not find:\n  ${missing}\n"
                      "On Debian 12, as root:\n"
                      "  apt-get install${packages}\n")
endfunction()

set(purposes build)
graph_coverage_find(Threads)
graph_coverage_find(fmt 9)
graph_coverage_find(nlohmann_json 3.11)
graph_coverage_find(CLI11 2.1)
graph_coverage_find(GTest 1.12)
# Debian's RapidCheck has neither a version file nor a namespace: its target
# is plain `rapidcheck`. Without it there is no graph_coverage::rapidcheck.
find_package(rapidcheck QUIET)
if(GRAPH_COVERAGE_TESTS)
  list(APPEND purposes test)
  graph_coverage_find(rapidcheck)
  graph_coverage_find(Python3)
  if(Python3_FOUND)
    execute_process(COMMAND ${Python3_EXECUTABLE} -c "import jsonschema"
                    RESULT_VARIABLE no_jsonschema OUTPUT_QUIET ERROR_QUIET)
    if(no_jsonschema)
      list(APPEND GRAPH_COVERAGE_MISSING "the Python module jsonschema")
    endif()
  endif()
endif()
if(GRAPH_COVERAGE_BENCH)
  list(APPEND purposes bench)
  graph_coverage_find(RapidJSON)
endif()
graph_coverage_require_found(${purposes})
