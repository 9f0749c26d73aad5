#!/bin/bash
# build.sh — what conda build runs for meta.yaml. libhwloc and libfabric are opened when they are needed.
set -eu
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
fortran=OFF
[ -z "${FC-}" ] || fortran=ON
# shellcheck disable=SC2086 # CMAKE_ARGS is conda's, several words
cmake ${CMAKE_ARGS-} -S "$SRC_DIR" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSTARLING_TESTS=OFF \
    -DSTARLING_FORTRAN=$fortran -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib
cmake --build "$build" -j "${CPU_COUNT:-2}"
cmake --install "$build"
