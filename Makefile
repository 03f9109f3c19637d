# Every target sets up what it needs: on a fresh Debian 12 only git and make have to be there.
#   make build          build/bin/{heddle,heddle-cc,heddle-c++}
#   make demo           heddle check on examples/bank: must find its bug
#   make test           all tests
#   make test-sanitize  the host parts and their unit tests under ASan and UBSan
#   make bench          the measurements of docs/performance.md
#   make lint           format, clang-tidy, layers, scripts
#   make format         what lint's first step asks for
#   make install PREFIX=/usr/local
#   make clean
BUILD ?= build
JOBS ?= $(shell nproc)
TEST_JOBS ?= 2
PREFIX ?= /usr/local
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c

.PHONY: all build everything configure deps demo test test-sanitize bench lint format install clean

all: build

deps:
	@cmake/install-packages.sh

configure: deps
	@test -f $(BUILD)/build.ninja || cmake -S . -B $(BUILD) -G Ninja $(CMAKE_OPTIONS)

build: configure
	cmake --build $(BUILD) -j $(JOBS) --target tools

# Tests and measurements too.
everything: configure
	cmake --build $(BUILD) -j $(JOBS)

demo: build
	@cmake/demo.sh $(BUILD)

# ctest's own last lines (how many passed, which failed) are the last thing printed.
test: everything
	ctest --test-dir $(BUILD) --output-on-failure -j $(TEST_JOBS)

test-sanitize: deps
	@test -f $(BUILD)-sanitize/build.ninja || \
	  cmake -S . -B $(BUILD)-sanitize -G Ninja -DHEDDLE_SANITIZE=ON $(CMAKE_OPTIONS)
	cmake --build $(BUILD)-sanitize -j $(JOBS)
	ctest --test-dir $(BUILD)-sanitize --output-on-failure -j $(TEST_JOBS) -L unit

bench: everything
	@cmake/bench.sh $(BUILD)

# clang-tidy needs the list of what is compiled, and no compiled file.
lint: configure
	@cmake/lint.sh $(BUILD) $(JOBS)

format: deps
	@cmake/lint.sh --format

install: build
	cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	rm -rf $(BUILD) $(BUILD)-sanitize
