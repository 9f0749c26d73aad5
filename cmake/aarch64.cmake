# aarch64.cmake — toolchain file: build for 64-bit ARM on another machine, run the tests with qemu.
#
# The libraries that the tests need (cmocka) come from AARCH64_ROOT, where
# `tools/install-deps aarch64` unpacks Debian's packages without installing them.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)

set(AARCH64_ROOT ${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-root CACHE PATH
    "Where libraries for aarch64 are unpacked")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES AARCH64_ROOT)
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu ${AARCH64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${AARCH64_ROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${AARCH64_ROOT}/usr/lib/aarch64-linux-gnu/pkgconfig)

# Where the system runs ARM programs by itself, it does so with the libraries below this path, too.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;/usr/aarch64-linux-gnu)
