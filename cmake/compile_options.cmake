# SPDX-License-Identifier: Apache-2.0
# graph_coverage_options(<target>): the warnings and the language level of the
# project's own code. Public headers stay C++17; the implementation is C++20.
function(graph_coverage_options target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic
                                           -Wconversion)
  # g++ 12 warns of overlapping copies inside std::string where there are none
  # (GCC bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND
     CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
  # Sources that are compiled together are included by another, which makes a
  # header of them in the eyes of this warning.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_UNITY_BUILD)
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
  if(GRAPH_COVERAGE_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
