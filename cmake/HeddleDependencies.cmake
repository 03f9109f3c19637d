# Libraries of the host parts, found once. cmake/packages.txt has the packages that hold them.

find_program(LLVM_CONFIG NAMES llvm-config-19 REQUIRED)
execute_process(COMMAND "${LLVM_CONFIG}" --cmakedir OUTPUT_VARIABLE llvm_cmake_dir
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
# "19" alone does not match: LLVM's version file compares major and minor.
find_package(LLVM 19.1 REQUIRED CONFIG PATHS "${llvm_cmake_dir}" NO_DEFAULT_PATH)

find_package(Threads REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)

if(NOT TARGET heddle::zstd)
  find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
  find_library(ZSTD_LIBRARY zstd REQUIRED)
  add_library(heddle::zstd UNKNOWN IMPORTED GLOBAL)
  set_target_properties(heddle::zstd PROPERTIES IMPORTED_LOCATION "${ZSTD_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${ZSTD_INCLUDE_DIR}")
endif()

if(HEDDLE_TESTS)
  find_package(GTest REQUIRED)
endif()
if(HEDDLE_BENCH)
  find_package(benchmark)
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
