# meson.sh — dependency('mpi') of meson finds Starling for C, C++ and Fortran: with its bin
# in PATH alone, and with PKG_CONFIG_PATH, too, where another MPI is installed, whose .pc files
# meson reads first.
. "$(dirname "$0")/common.sh"
need meson ninja pkg-config c++
need_rival
cp "$SOURCE/examples/hello.c" .
sed 's/names = malloc/names = (char *) malloc/' hello.c >hello.cc
cat >meson.build <<'M'
project('user', 'c', 'cpp')
mpi = dependency('mpi', language: 'c', version: '>=0.1')
executable('c', 'hello.c', dependencies: mpi)
shared_library('part', 'hello.c', dependencies: mpi)
executable('cxx', 'hello.cc', dependencies: dependency('mpi', language: 'cpp'))
M
need_fortran
cat >>meson.build <<'M'
add_languages('fortran')
executable('fortran', 'hello.f90', dependencies: dependency('mpi', language: 'fortran'))
M
export FC="$fc"

# built NAME: sets up the directory NAME, with -L of the directory of the other MPI before all else.
built() {
    quietly meson setup "$1" "-Dc_link_args=-L$rival" "-Dcpp_link_args=-L$rival"
    quietly ninja -C "$1"
    ours "$1/c" "$1/cxx" "$1/libpart.so"
    ours_fortran "$1/fortran"
    four_hellos mpiexec -n 4 "$1/fortran"
    four_hellos mpiexec -n 4 "$1/c"
    four_hellos mpiexec -n 4 "$1/cxx"
}
# Without it flags are Open MPI's, which our compiler refuses.
quietly env CC=mpicc CXX=mpicxx meson setup refused
! ninja -C refused >refused.log 2>&1 || fail "mpicc took the headers of Open MPI"
grep -q "has the mpi.h of Open MPI.*PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig" refused.log ||
    { cat refused.log >&2; fail "mpicc does not say what is wrong"; }
mkdir none
PKG_CONFIG_LIBDIR=$PWD/none
export PKG_CONFIG_LIBDIR
built alone
unset PKG_CONFIG_LIBDIR
PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig
export PKG_CONFIG_PATH
built beside
