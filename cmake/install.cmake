# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` lays out: the libraries, their public headers, the
# tool, and the package files that find_package reads.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/mirage-graph-coverage)

install(TARGETS
  graph_coverage_audit graph_coverage_matchers graph_coverage_gtest_coverage
  graph_coverage_gtest_main graph_coverage_gtest_campaign
  graph_coverage_generators mk-graph-coverage-audit
  EXPORT graph_coverage_targets
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(folder audit matchers gtest_coverage generators gtest_campaign)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/include/
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()

# In a file of its own, for those who have RapidCheck.
install(TARGETS graph_coverage_rapidcheck
  EXPORT graph_coverage_rapidcheck_targets
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT graph_coverage_rapidcheck_targets
  FILE rapidcheck_targets.cmake
  NAMESPACE graph_coverage::
  DESTINATION ${package_directory})
install(EXPORT graph_coverage_targets
  FILE targets.cmake
  NAMESPACE graph_coverage::
  DESTINATION ${package_directory})
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/mirage-graph-coverage-config.cmake.in
  ${PROJECT_BINARY_DIR}/mirage-graph-coverage-config.cmake
  INSTALL_DESTINATION ${package_directory}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/mirage-graph-coverage-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/mirage-graph-coverage-config.cmake
  ${PROJECT_BINARY_DIR}/mirage-graph-coverage-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/GraphCoverage.cmake
  DESTINATION ${package_directory})
