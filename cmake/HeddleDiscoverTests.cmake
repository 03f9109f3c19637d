# `cmake -DSETTINGS=FILE -P HeddleDiscoverTests.cmake`, after each build of a target with
# heddle_discover_tests(): writes the file that tells ctest of its tests. heddle itself lists them,
# so that ctest has exactly those that `heddle check` would explore.
include("${SETTINGS}")

set(listing_options "${OPTIONS}")
list(FILTER listing_options INCLUDE REGEX "^--gtest=")
execute_process(COMMAND "${HEDDLE}" tests ${listing_options} "${PROGRAM}" ${ARGUMENTS}
                WORKING_DIRECTORY "${WORKING_DIRECTORY}"
                TIMEOUT "${DISCOVERY_TIMEOUT}"
                OUTPUT_VARIABLE listing ERROR_VARIABLE error RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "heddle_discover_tests: cannot list the tests of ${PROGRAM} (${result}):\n${error}")
endif()

set(script "")
string(REPLACE "\n" ";" lines "${listing}")
foreach(line IN LISTS lines)
  if(line STREQUAL "" OR line MATCHES "^#")
    continue()
  endif()
  set(name "${TEST_PREFIX}${line}${TEST_SUFFIX}")
  set(command "[==[${HEDDLE}]==] check")
  foreach(word IN LISTS OPTIONS)
    string(APPEND command " [==[${word}]==]")
  endforeach()
  string(APPEND command " [==[${PROGRAM}]==] [==[--gtest_filter=${line}]==]")
  foreach(word IN LISTS ARGUMENTS)
    string(APPEND command " [==[${word}]==]")
  endforeach()
  string(APPEND script "add_test([==[${name}]==] ${command})\n"
                       "set_tests_properties([==[${name}]==] PROPERTIES WORKING_DIRECTORY "
                       "[==[${WORKING_DIRECTORY}]==] LABELS heddle")
  foreach(word IN LISTS PROPERTIES)
    string(APPEND script " [==[${word}]==]")
  endforeach()
  string(APPEND script ")\n")
endforeach()
file(WRITE "${TESTS}" "${script}")
