# SPDX-License-Identifier: Apache-2.0
# Makes the Debian package of the build folder BUILD and unpacks it into the
# folder INTO, as installing it would lay it out under /.
file(REMOVE_RECURSE ${INTO} ${INTO}.cpack)
execute_process(
  COMMAND ${CPACK} -G DEB -B ${INTO}.cpack --config ${BUILD}/CPackConfig.cmake
  COMMAND_ERROR_IS_FATAL ANY)
file(GLOB package ${INTO}.cpack/*.deb)
execute_process(COMMAND dpkg-deb --info ${package} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND dpkg-deb --extract ${package} ${INTO}
  COMMAND_ERROR_IS_FATAL ANY)
set(doc doc/mirage-graph-coverage)
foreach(file man/man1/mk-graph-coverage-audit.1
        bash-completion/completions/mk-graph-coverage-audit
        ${doc}/README.md ${doc}/LICENSE ${doc}/copyright ${doc}/docs/start.md
        ${doc}/docs/policy.schema.json)
  if(NOT EXISTS ${INTO}/usr/share/${file})
    message(FATAL_ERROR "the package has no /usr/share/${file}")
  endif()
endforeach()
