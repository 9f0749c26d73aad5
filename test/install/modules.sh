# modules.sh — modules of another compiler are made once, in the prefix or in the cache of the user, also
# when many compile at once; what goes wrong is said.
. "$(dirname "$0")/common.sh"
need_fortran
[ -n "$others" ] || { echo "skipped: there is one Fortran compiler"; exit 77; }

for other in $others; do
    cp -R "$PREFIX" "$other-prefix"
    rm -rf "$other-prefix/include/starling" # another test may have made them
    mpifort=$PWD/$other-prefix/bin/mpifort
    for n in 1 2 3 4; do
        "$mpifort" -fc=$other hello.f90 -o "$other-$n" 2>"errors-$n" &
    done
    wait
    cat errors-? >errors
    same "lines of $other" "$(grep -c 'making the MPI modules of' errors) $(wc -l <errors)" "1 1"
    for n in 1 2 3 4; do
        four_hellos mpiexec -n 4 "./$other-$n"
    done
    "$mpifort" -fc=$other hello.f90 -o again 2>errors
    [ ! -s errors ] || { cat errors >&2; fail "$other: modules are made again"; }
done

# Where the prefix cannot be written, in the cache. Root writes anywhere but below a file.
rm -rf one
cp -R "$PREFIX" one
rm -rf one/include/starling
: >one/include/starling
# shellcheck disable=SC2086 # words on purpose
set -- $others
one/bin/mpifort "-fc=$1" hello.f90 -o cached 2>errors
grep -q "in $XDG_CACHE_HOME/starling/" errors || { cat errors >&2; fail "not in the cache"; }
four_hellos mpiexec -n 4 ./cached
same "files left" "$(find "$XDG_CACHE_HOME" -name '.[!.]*' ! -name .lock)" ''

: >nowhere
! XDG_CACHE_HOME=$PWD/nowhere one/bin/mpifort "-fc=$1" hello.f90 2>errors || fail "made nowhere"
grep -q 'set XDG_CACHE_HOME' errors || { cat errors >&2; fail "the error does not tell what to do"; }
! command -v flang-new-16 >/dev/null || ! mpifort -fc=flang-new-16 hello.f90 2>errors ||
    fail "flang 16 is taken"
! mpifort -fc=cat hello.f90 2>errors || fail "cat is a compiler"
grep -q 'cat: not a Fortran compiler' errors || { cat errors >&2; fail "the error does not name cat"; }
