# pkgconfig.sh — with PKG_CONFIG_PATH, pkg-config finds the library under its own name and those of
# MPICH and Open MPI, which is installed, too; and for Fortran.
. "$(dirname "$0")/common.sh"
need pkg-config
need_rival
cp "$SOURCE/examples/hello.c" .
export PKG_CONFIG_PATH="$PREFIX/lib/pkgconfig"

for name in starling mpich mpi mpi-c mpi-cxx ompi ompi-c ompi-cxx; do
    # shellcheck disable=SC2046 # words on purpose
    cc hello.c -L"$rival" -o $name $(pkg-config --cflags --libs $name)
    ours $name
    four_hellos mpiexec -n 4 ./$name
    pkg-config --exists "$name >= 0.1" || fail "$name.pc has no version"
done
need_fortran
for name in starling-fort mpi-fort ompi-fort; do
    # shellcheck disable=SC2046 # words on purpose
    $fc hello.f90 -L"$rival" -o $name $(pkg-config --cflags --libs $name)
    ours_fortran $name
    four_hellos mpiexec -n 4 ./$name
done
