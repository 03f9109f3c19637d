# heddle_unit_test(NAME SOURCES file... LINK library... [LABELS label...])
#
# A GoogleTest executable and one ctest test of the same name. Unit tests need no program under
# test; they carry the label "unit", which is what `make test-sanitize` selects.
include(CMakeParseArguments)

function(heddle_unit_test name)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE ${TEST_LINK} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE
                             "HEDDLE_TEST_SOURCE_DIR=\"${CMAKE_CURRENT_SOURCE_DIR}\"")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests/bin")
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "unit;${TEST_LABELS}" TIMEOUT 300)
endfunction()
