# meson.sh — dependency('mpi') of meson finds Starling for C and C++, and no Fortran: with its bin
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
if add_languages('fortran', required: false)
  assert(not dependency('mpi', language: 'fortran', required: false).found(), 'whose Fortran?')
endif
M

# built NAME: sets up the directory NAME, with -L of the directory of the other MPI before all else.
built() {
    quietly meson setup "$1" "-Dc_link_args=-L$rival" "-Dcpp_link_args=-L$rival"
    quietly ninja -C "$1"
    ours "$1/c" "$1/cxx" "$1/libpart.so"
    four_hellos mpiexec -n 4 "$1/c"
    four_hellos mpiexec -n 4 "$1/cxx"
}
mkdir none
PKG_CONFIG_LIBDIR=$PWD/none
export PKG_CONFIG_LIBDIR
built alone
unset PKG_CONFIG_LIBDIR
PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig
export PKG_CONFIG_PATH
built beside
