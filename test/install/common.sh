# common.sh — shared by the tests of an installed tree. They print nothing when they pass.
set -eu
export LC_ALL=C
# Settings of the caller would hide those of the test.
unset CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS STARLING_CC STARLING_CXX MPICH_CC MPICH_CXX DESTDIR
unset OMPI_CC OMPI_CXX OMPI_FC OMPI_F90 OMPI_F77
unset FC F90 F77 STARLING_FC STARLING_F90 STARLING_F77 MPICH_FC MPICH_F90 MPICH_F77 FCFLAGS FFLAGS
unset LD_LIBRARY_PATH PKG_CONFIG_PATH MPICC MPICXX MPIFC MPIF77 MPILIBS
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK"
PATH=$PREFIX/bin:$PATH

fail() {
    echo "$*" >&2
    exit 1
}

# need TOOL...: skips the test where there is no such tool.
need() {
    for tool; do
        command -v "$tool" >/dev/null || { echo "skipped: $tool is not here"; exit 77; }
    done
}

# quietly COMMAND...: prints the output of the command only when it fails.
quietly() {
    "$@" >quietly.log 2>&1 || { cat quietly.log >&2; fail "failed: $*"; }
}

# same WHAT GOT WANTED
same() {
    [ "$2" = "$3" ] || fail "$1: got <$2>, wanted <$3>"
}

# need_rival: skips the test where no second MPI is installed, of which build tools may find parts.
# Sets rival, the directory of its libmpi.so.
need_rival() {
    need mpicc.openmpi cc
    rival=/usr/lib/$(cc -print-multiarch)
    [ -e "$rival/libmpi.so" ] || { echo "skipped: no libmpi.so in $rival"; exit 77; }
    [ "$(readlink -f "$(command -v mpicc)")" = "$(readlink -f "$PREFIX/bin/mpicc")" ] ||
        fail "our mpicc is not the first in PATH"
}

# ours FILE...: checks that these files need Starling's MPI libraries.
ours() {
    for file; do
        same "MPI libraries of $file" "$(ldd "$file" |
            sed -nE 's/^\tlib(mpi|open-)[^ ]* => (.*) \(.*/\2/p' | tr '\n' '\0' |
            xargs -0r readlink -f)" "$(readlink -f "$PREFIX/lib/libmpi.so.12")"
    done
}

# four_hellos COMMAND...: the command must run hello.c with four processes.
four_hellos() {
    "$@" >hellos 2>errors || { cat hellos errors >&2; fail "failed: $*"; }
    same "lines of $*" "$(grep -c '^hello from rank [0-3] of 4 on ' hellos)" 4
    [ ! -s errors ] || { cat errors >&2; fail "$* wrote this to stderr"; }
}

# need_fortran: skips the rest of the test where the library has no Fortran. Sets fc, a compiler
# whose modules are installed, and others, compilers whose modules are not; copies hello.f90 here.
need_fortran() {
    [ -e "$PREFIX/lib/libmpifort.so" ] || { echo "skipped: no Fortran library"; exit 77; }
    fc=$(mpifort --showme:command)
    others=
    for other in gfortran-11 flang-new-19; do
        ! command -v $other >/dev/null || others="$others $other"
    done
    cp "$SOURCE/examples/hello.f90" .
    # Modules that are made go here.
    export XDG_CACHE_HOME="$PWD/cache"
}

# ours_fortran FILE...: as ours(), and the Fortran library is Starling's.
ours_fortran() {
    for file; do
        same "MPI libraries of $file" "$(ldd "$file" |
            sed -nE 's/^\tlib(mpi|open-)[^ ]* => (.*) \(.*/\2/p' | tr '\n' '\0' |
            xargs -0r readlink -f | sort)" "$(readlink -f "$PREFIX/lib/libmpi.so.12" "$PREFIX/lib/libmpifort.so.12")"
    done
}
