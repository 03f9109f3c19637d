# Language, warnings, output layout: the same for every part.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# build/bin and build/lib/heddle mirror an installed tree, so that heddle finds its files by one
# rule: relative to its own executable.
include(GNUInstallDirs)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(HEDDLE_LIBRARY_DIR "${CMAKE_BINARY_DIR}/lib/heddle")
file(MAKE_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" "${HEDDLE_LIBRARY_DIR}"
     "${CMAKE_BINARY_DIR}/include")
if(NOT EXISTS "${CMAKE_BINARY_DIR}/include/heddle")
  file(CREATE_LINK "${CMAKE_SOURCE_DIR}/include/heddle" "${CMAKE_BINARY_DIR}/include/heddle"
       SYMBOLIC)
endif()

find_program(HEDDLE_CCACHE ccache)
if(HEDDLE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${HEDDLE_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${HEDDLE_CCACHE}")
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_link_options(-fuse-ld=lld)
endif()

add_compile_options(-Wall -Wextra)
if(HEDDLE_WERROR)
  add_compile_options(-Werror)
endif()

add_compile_definitions("HEDDLE_VERSION=\"${PROJECT_VERSION}\"")
include_directories("${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}/include")

# A part that appears is noticed without a new configuration by hand.
file(GLOB heddle_parts CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/*/CMakeLists.txt"
     "${CMAKE_SOURCE_DIR}/bench/CMakeLists.txt")

# Adds the directory of a part if it is there and wanted.
function(heddle_add_part directory)
  get_filename_component(name "${directory}" NAME)
  if(HEDDLE_PARTS AND NOT name IN_LIST HEDDLE_PARTS)
    return()
  endif()
  if(EXISTS "${directory}/CMakeLists.txt")
    file(RELATIVE_PATH relative "${CMAKE_SOURCE_DIR}" "${directory}")
    add_subdirectory("${directory}" "${CMAKE_BINARY_DIR}/${relative}")
  endif()
endfunction()

# Sanitizers for every directory that is added after this call.
macro(heddle_sanitize_directory)
  if(HEDDLE_SANITIZE)
    add_compile_options(-O1 -fsanitize=address,undefined -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
  endif()
endmacro()
