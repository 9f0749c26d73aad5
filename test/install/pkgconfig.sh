# pkgconfig.sh — pkg-config finds the library under its own name and as mpich.
. "$(dirname "$0")/common.sh"
need pkg-config cc
cp "$SOURCE/examples/hello.c" .
export PKG_CONFIG_PATH="$PREFIX/lib/pkgconfig"

for name in starling mpich; do
    # shellcheck disable=SC2046 # words on purpose
    cc hello.c -o $name $(pkg-config --cflags --libs $name)
    export LD_LIBRARY_PATH="$PREFIX/lib"
    four_hellos mpiexec -n 4 ./$name
    pkg-config --exists "$name >= 0.1" || fail "$name.pc has no version"
done
