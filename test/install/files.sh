# files.sh — every promised file is there, and the two library names are one file.
. "$(dirname "$0")/common.sh"

for f in include/mpi.h include/mpi-ext.h lib/libmpi.so lib/libmpi.so.12 lib/libmpich.so \
    lib/libmpich.so.12 \
    lib/libstarling.so lib/pkgconfig/starling.pc lib/pkgconfig/mpich.pc lib/cmake/Starling/StarlingConfig.cmake \
    lib/cmake/Starling/StarlingConfigVersion.cmake share/man/man3/MPI_Send.3 \
    share/man/man1/mpiexec.1 share/man/man1/mpirun.1 share/man/man1/mpicc.1 share/man/man1/mpiCC.1 \
    share/man/man1/mpifort.1 share/man/man1/starling_info.1 share/man/man5/starling.conf.5 \
    share/man/man7/starling-settings.7 bin/starling-vars.sh share/bash-completion/completions/mpiexec \
    share/bash-completion/completions/mpirun share/zsh/site-functions/_mpiexec \
    share/fish/vendor_completions.d/mpiexec.fish share/fish/vendor_completions.d/mpirun.fish; do
    [ -f "$PREFIX/$f" ] || fail "$f is missing"
done
for f in mpicc mpicxx mpic++ mpiCC mpifort mpif90 mpif77 mpichversion mpiexec mpirun starling_info; do
    [ -x "$PREFIX/bin/$f" ] || fail "bin/$f is missing or cannot be run"
done
if "$PREFIX/bin/starling_info" | grep -q '^hwloc: built in'; then
    [ -x "$PREFIX/bin/starling_topo" ] || fail "bin/starling_topo is missing or cannot be run"
fi
for f in libmpi.so libmpich.so libmpich.so.12 libstarling.so starling/link/libmpi.so \
    starling/link/libmpich.so; do
    same "lib/$f" "$(readlink -f "$PREFIX/lib/$f")" "$(readlink -f "$PREFIX/lib/libmpi.so.12")"
done
if [ -e "$PREFIX/lib/libmpifort.so" ]; then
    for f in include/mpif.h lib/starling/fortran/mpi.f90 lib/starling/fortran/mpi_f08.f90 \
        lib/starling/fortran/mpi_f08_wrappers.f90 lib/pkgconfig/starling-fort.pc; do
        [ -f "$PREFIX/$f" ] || fail "$f is missing"
    done
    for f in libmpifort.so libmpichfort.so libmpichfort.so.12 libstarlingfort.so \
        starling/link/libmpifort.so starling/link/libmpichfort.so; do
        same "lib/$f" "$(readlink -f "$PREFIX/lib/$f")" "$(readlink -f "$PREFIX/lib/libmpifort.so.12")"
    done
fi
if [ -e "$PREFIX/lib/libmpifort.so" ]; then
    "$PREFIX/bin/mpichversion" -b | grep -q '^Starling FC: *	.*/' || fail "mpichversion: $(mpichversion -b)"
fi
same bin/mpirun "$(readlink "$PREFIX/bin/mpirun")" mpiexec

# No file knows where it was built or installed; but in builds for debuggers ELF binaries do.
kind=I
[ "$BUILD_TYPE" != Release ] || kind=
found=$(grep -rl${kind}F "$PREFIX" "$PREFIX" || true)
[ -z "$found" ] || fail "the installed prefix is written into: $found"
found=$(grep -rl${kind}F "$SOURCE" "$PREFIX" || true)
[ -z "$found" ] || fail "the source directory is written into: $found"
