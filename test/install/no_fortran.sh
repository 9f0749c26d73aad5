# no_fortran.sh — a library without Fortran has wrappers that say so and fail, and .pc files that fail,
# so that no build tool takes the Fortran of another MPI for it.
. "$(dirname "$0")/common.sh"
need pkg-config

quietly "$CMAKE" -S "$SOURCE" -B without -DSTARLING_FORTRAN=OFF -DSTARLING_TESTS=OFF
grep -q 'Fortran: not built, STARLING_FORTRAN is OFF' quietly.log || fail "configuring does not say it"
! "$CMAKE" -S "$SOURCE" -B wrong -DSTARLING_FORTRAN=maybe >errors 2>&1 || fail "takes maybe"
grep -q 'STARLING_FORTRAN is maybe' errors || { cat errors >&2; fail "the error does not name the value"; }

echo '      end' >program.f
for name in mpifort mpif90 mpif77; do
    for options in '' -show --showme:version --showme:link -compile_info -link_info --version -v 'program.f -o program'; do
        # shellcheck disable=SC2086 # words on purpose
        ! sh without/$name $options >out 2>errors || fail "$name $options succeeds"
        [ ! -s out ] || fail "$name $options prints $(cat out)"
        grep -q "^$name: this Starling MPI was built without a Fortran compiler" errors ||
            { cat errors >&2; fail "$name $options says something else"; }
    done
    same "$name -showme:compile" "$(sh without/$name -showme:compile 2>/dev/null)" ''
done
export PKG_CONFIG_PATH="$PWD/without"
for name in mpi-fort ompi-fort; do
    ! pkg-config --exists $name || fail "pkg-config finds $name"
    ! pkg-config --cflags $name 2>errors || fail "pkg-config has flags for $name"
    grep -q Fortran errors || fail "the error does not name Fortran: $(cat errors)"
done
