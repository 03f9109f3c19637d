# PREFIX/{bin,lib/heddle,include/heddle,share/doc/heddle,lib/cmake/heddle}. Nothing in the tree
# names PREFIX, so that it can be moved.
include(CMakePackageConfigHelpers)

foreach(tool heddle heddle-cc heddle-c++)
  if(TARGET ${tool})
    install(TARGETS ${tool} RUNTIME DESTINATION bin)
  endif()
endforeach()

if(EXISTS "${CMAKE_SOURCE_DIR}/src/pass/CMakeLists.txt" AND NOT HEDDLE_SANITIZE)
  install(FILES "${HEDDLE_LIBRARY_DIR}/heddle_pass.so" DESTINATION lib/heddle)
endif()
if(TARGET heddle_seed)
  install(FILES "${HEDDLE_LIBRARY_DIR}/heddle_seed.o" DESTINATION lib/heddle)
endif()
if(TARGET heddle_runtime)
  install(FILES "${HEDDLE_LIBRARY_DIR}/heddle_rt.o" "${HEDDLE_LIBRARY_DIR}/heddle_names.o"
                "${HEDDLE_LIBRARY_DIR}/heddle.dynlist"
          DESTINATION lib/heddle)
endif()

# Shows the other fibers in gdb; in the build tree too, so that both are found in the same way.
set(gdb_script "${CMAKE_SOURCE_DIR}/src/runtime/gdb/heddle-gdb.py")
if(EXISTS "${gdb_script}")
  configure_file("${gdb_script}" "${HEDDLE_LIBRARY_DIR}/heddle-gdb.py" COPYONLY)
  install(FILES "${gdb_script}" DESTINATION lib/heddle)
endif()

install(DIRECTORY "${CMAKE_SOURCE_DIR}/include/heddle" DESTINATION include
        FILES_MATCHING PATTERN "*.h")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/docs/" DESTINATION share/doc/heddle
        FILES_MATCHING PATTERN "*.md")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/examples" DESTINATION share/doc/heddle)
install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" "${CMAKE_SOURCE_DIR}/CHANGELOG.md"
        DESTINATION share/doc/heddle)

configure_package_config_file("${CMAKE_SOURCE_DIR}/cmake/heddleConfig.cmake.in"
                              "${CMAKE_BINARY_DIR}/lib/cmake/heddle/heddleConfig.cmake"
                              INSTALL_DESTINATION lib/cmake/heddle
                              NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/lib/cmake/heddle/heddleConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
configure_file("${CMAKE_SOURCE_DIR}/cmake/HeddleDiscoverTests.cmake"
               "${CMAKE_BINARY_DIR}/lib/cmake/heddle/HeddleDiscoverTests.cmake" COPYONLY)
configure_file("${CMAKE_SOURCE_DIR}/cmake/heddle-launch.sh"
               "${CMAKE_BINARY_DIR}/lib/cmake/heddle/heddle-launch.sh" COPYONLY)
install(FILES "${CMAKE_BINARY_DIR}/lib/cmake/heddle/heddleConfig.cmake"
              "${CMAKE_BINARY_DIR}/lib/cmake/heddle/heddleConfigVersion.cmake"
              "${CMAKE_SOURCE_DIR}/cmake/HeddleDiscoverTests.cmake"
        DESTINATION lib/cmake/heddle)
install(PROGRAMS "${CMAKE_SOURCE_DIR}/cmake/heddle-launch.sh" DESTINATION lib/cmake/heddle)
