# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` lays out: the libraries, their public headers, the
# tool, the pages, and the files that find_package and pkg-config read. Each
# component has an export file of its own, so that using one asks only for what
# it needs.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/mirage-graph-coverage)

# graph_coverage_install(<component> <target>…)
function(graph_coverage_install component)
  foreach(target IN LISTS ARGN)
    # Shared libraries: a new minor version is a new interface, and each finds
    # those it needs beside it.
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      set_target_properties(${target} PROPERTIES
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
        INSTALL_RPATH "$ORIGIN;$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    endif()
  endforeach()
  install(TARGETS ${ARGN}
    EXPORT graph_coverage_${component}_targets
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT graph_coverage_${component}_targets
    FILE ${component}_targets.cmake
    NAMESPACE graph_coverage::
    DESTINATION ${package_directory})
endfunction()

graph_coverage_install(audit graph_coverage_audit)
graph_coverage_install(matchers graph_coverage_matchers)
graph_coverage_install(gtest_coverage
  graph_coverage_gtest_coverage graph_coverage_gtest_main)
graph_coverage_install(generators graph_coverage_generators)
graph_coverage_install(gtest_campaign graph_coverage_gtest_campaign)
if(TARGET graph_coverage_rapidcheck)
  graph_coverage_install(rapidcheck graph_coverage_rapidcheck)
endif()
graph_coverage_install(tool mk-graph-coverage-audit)

foreach(folder audit matchers gtest_coverage generators gtest_campaign)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/include/
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()

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

# pkg-config, for builds without CMake: the audit alone, and with it all that a
# GoogleTest binary uses.
file(RELATIVE_PATH up_to_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(module mirage-graph-coverage mirage-graph-coverage-gtest)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${module}.pc.in
    ${PROJECT_BINARY_DIR}/${module}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${module}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# The tool's manual page, and its completion in bash under the tool's name.
install(FILES ${PROJECT_BINARY_DIR}/tool/mk-graph-coverage-audit.1
  DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/tool/mk-graph-coverage-audit.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME mk-graph-coverage-audit)

# The pages, laid out as in the sources, so that each leads on to the others.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs
  DESTINATION ${CMAKE_INSTALL_DOCDIR})

# `cpack -G DEB` in a build folder makes a Debian package of all of it.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the mirage-graph-coverage developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What the installed targets name, so that find_package works at once.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libfmt-dev, libgmock-dev, libgtest-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, librapidcheck-dev")
include(CPack)
