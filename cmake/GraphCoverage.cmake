# SPDX-License-Identifier: Apache-2.0
#[=======================================================================[.rst:
An audit as a test of ctest, which holds back the tests that need its gendir:

  graph_coverage_add_audit(NAME <test> GENDIR <directory>
                           [CRITICAL <tensor>...] [RANKS <rank>...]
                           [OPTIONS <argument>...]
                           [GENDIR_FIXTURE <fixture>...]
                           [FIXTURE <fixture>] [GATES <test>...])

Adds the test <test>, with the label graph_coverage, which runs
mk-graph-coverage-audit on <directory> (where it is relative: to the current
binary directory) and fails unless the audit passes.

CRITICAL        the tensors that must be consumed, as globs
RANKS           the ranks to audit; all, if not given
OPTIONS         further arguments of mk-graph-coverage-audit
GENDIR_FIXTURE  fixtures that make the gendir (tests with FIXTURES_SETUP); the
                audit runs after them
FIXTURE         the fixture that the audit sets up; <test>, if not given
GATES           tests of this directory, already added, that need the fixture:
                where the audit fails, ctest reports them as "Not Run", and
                fails. The audit also runs where only they are selected.

Tests that gtest_discover_tests makes do not exist yet when CMake runs: gate
them with  gtest_discover_tests(<target> PROPERTIES FIXTURES_REQUIRED <fixture>).
Each of those is a process of its own. Where a test reads the gendir, too, as
with graph_coverage::gtest_main, that is a reading of all graphs for each; then
prefer one process a suite:  add_test(NAME numerics COMMAND numerics).

A campaign of mutants as a test of ctest, which says whether the audit sees what
could go wrong with the gendir:

  graph_coverage_add_mutation(NAME <test> GENDIR <directory>
                              [OPERATORS <operator>...] [SAMPLE <number>]
                              [SEED <number>] [RANKS <rank>...]
                              [SHARDS <number>] [OPTIONS <argument>...]
                              [GENDIR_FIXTURE <fixture>...])

Adds the test <test>, with the label graph_coverage_mutation, which runs
mk-graph-coverage-audit mutate, and fails where mutants survive.

OPERATORS       mutation operators; all, if not given
SAMPLE, SEED    mutants an operator and what draws them; if SAMPLE is not given,
                all of drop and null and 100 of each other operator
SHARDS          more than 1: so many tests <test>.shard<i>, which ctest -j runs
                side by side; <test> brings their results together
RANKS, OPTIONS, GENDIR_FIXTURE  as above

Missing and unknown arguments are errors when CMake runs.
#]=======================================================================]

# Checks what the functions below have parsed: `where` is the call, `one` and
# `several` are its keywords. Numbers are lists of digits.
macro(_graph_coverage_check_arguments)
  if(ARG_UNPARSED_ARGUMENTS)
    list(JOIN one " " keywords)
    list(JOIN several " " more)
    message(FATAL_ERROR
      "${where}: unknown arguments: ${ARG_UNPARSED_ARGUMENTS}\n"
      "Known are ${keywords} ${more}.")
  endif()
  if(ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR
      "${where}: without a value: ${ARG_KEYWORDS_MISSING_VALUES}")
  endif()
  foreach(required NAME GENDIR)
    if("${ARG_${required}}" STREQUAL "")
      message(FATAL_ERROR "${where}: ${required} is missing.")
    endif()
  endforeach()
  foreach(keyword RANKS SAMPLE SEED SHARDS)
    foreach(number IN LISTS ARG_${keyword})
      if(NOT number MATCHES "^[0-9]+$")
        message(FATAL_ERROR
          "${where}: ${keyword}: \"${number}\" is not a number.")
      endif()
    endforeach()
  endforeach()
  if(NOT CMAKE_TESTING_ENABLED)
    message(FATAL_ERROR "${where}: call enable_testing() before.")
  endif()
  if(NOT TARGET graph_coverage::mk-graph-coverage-audit)
    message(FATAL_ERROR
      "${where}: there is no target graph_coverage::mk-graph-coverage-audit.\n"
      "find_package(mirage-graph-coverage) or add_subdirectory brings it.")
  endif()
endmacro()

function(graph_coverage_add_audit)
  set(one NAME GENDIR FIXTURE)
  set(several CRITICAL RANKS OPTIONS GENDIR_FIXTURE GATES)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "${one}" "${several}")
  set(where "graph_coverage_add_audit(NAME ${ARG_NAME})")

  _graph_coverage_check_arguments()
  foreach(test IN LISTS ARG_GATES)
    if(NOT TEST ${test})
      message(FATAL_ERROR
        "${where}: GATES: this directory has no test \"${test}\" yet.\n"
        "Call add_test before. For tests of gtest_discover_tests, give that "
        "the arguments PROPERTIES FIXTURES_REQUIRED <fixture> instead.")
    endif()
  endforeach()
  set(arguments "${ARG_GENDIR}")
  foreach(list CRITICAL RANKS)
    if(ARG_${list})
      string(TOLOWER ${list} option)
      string(REPLACE ";" "," values "${ARG_${list}}")
      list(APPEND arguments --${option} "${values}")
    endif()
  endforeach()
  add_test(NAME ${ARG_NAME} COMMAND
    $<TARGET_FILE:graph_coverage::mk-graph-coverage-audit>
    ${arguments} ${ARG_OPTIONS})

  if(NOT ARG_FIXTURE)
    set(ARG_FIXTURE ${ARG_NAME})
  endif()
  set_tests_properties(${ARG_NAME} PROPERTIES
    LABELS graph_coverage
    FIXTURES_SETUP ${ARG_FIXTURE}
    FIXTURES_REQUIRED "${ARG_GENDIR_FIXTURE}")
  foreach(test IN LISTS ARG_GATES)
    set_property(TEST ${test} APPEND PROPERTY FIXTURES_REQUIRED ${ARG_FIXTURE})
  endforeach()
endfunction()

function(graph_coverage_add_mutation)
  set(one NAME GENDIR SAMPLE SEED SHARDS)
  set(several OPERATORS RANKS OPTIONS GENDIR_FIXTURE)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "${one}" "${several}")
  set(where "graph_coverage_add_mutation(NAME ${ARG_NAME})")
  _graph_coverage_check_arguments()

  set(tool $<TARGET_FILE:graph_coverage::mk-graph-coverage-audit>)
  set(arguments mutate "${ARG_GENDIR}")
  foreach(list OPERATORS RANKS)
    if(ARG_${list})
      string(TOLOWER ${list} option)
      string(REPLACE ";" "," values "${ARG_${list}}")
      list(APPEND arguments --${option} "${values}")
    endif()
  endforeach()
  foreach(number SAMPLE SEED)
    if(ARG_${number})
      string(TOLOWER ${number} option)
      list(APPEND arguments --${option} ${ARG_${number}})
    endif()
  endforeach()
  list(APPEND arguments ${ARG_OPTIONS})

  if(NOT ARG_SHARDS OR ARG_SHARDS LESS 2)
    add_test(NAME ${ARG_NAME} COMMAND ${tool} ${arguments})
    set_tests_properties(${ARG_NAME} PROPERTIES
      LABELS graph_coverage_mutation
      FIXTURES_REQUIRED "${ARG_GENDIR_FIXTURE}")
    return()
  endif()

  # Shards go on from what their files hold: each run starts without them.
  math(EXPR last "${ARG_SHARDS} - 1")
  set(shards "")
  set(results "")
  foreach(i RANGE ${last})
    list(APPEND shards ${ARG_NAME}.shard${i})
    list(APPEND results "${CMAKE_CURRENT_BINARY_DIR}/${ARG_NAME}.shard${i}")
  endforeach()
  add_test(NAME ${ARG_NAME}.start COMMAND ${CMAKE_COMMAND} -E rm -f ${results})
  set_tests_properties(${ARG_NAME}.start PROPERTIES
    LABELS graph_coverage_mutation
    FIXTURES_SETUP ${ARG_NAME}.start)
  foreach(i RANGE ${last})
    list(GET results ${i} file)
    add_test(NAME ${ARG_NAME}.shard${i}
      COMMAND ${tool} ${arguments} --jobs 1 --results "${file}")
    set_tests_properties(${ARG_NAME}.shard${i} PROPERTIES
      LABELS graph_coverage_mutation
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${i}"
      FIXTURES_REQUIRED "${ARG_NAME}.start;${ARG_GENDIR_FIXTURE}")
  endforeach()
  # Survivors of one shard do not hide those of the others.
  add_test(NAME ${ARG_NAME} COMMAND ${tool} mutate --merge ${results})
  set_tests_properties(${ARG_NAME} PROPERTIES
    LABELS graph_coverage_mutation DEPENDS "${shards}")
endfunction()
