# moved.sh — an installed tree works after it is moved, also when the path has spaces.
. "$(dirname "$0")/common.sh"
cp "$SOURCE/examples/hello.c" .
mkdir 'new place'
cp -R "$PREFIX" 'new place/mpi'
mkdir links
ln -s "../new place/mpi/bin/mpicc" links/mpicc
new="$PWD/new place/mpi"
PATH=/usr/local/bin:/usr/bin:/bin

"$new/bin/mpicc" hello.c -o direct
links/mpicc hello.c -o linked
(cd 'new place/mpi/bin' && ./mpicc ../../../hello.c -o ../../../relative)
eval "$("$new/bin/mpicc" -show hello.c -o shown)"
for program in direct linked relative shown; do
    used=$(ldd ./$program | sed -n 's/.*libmpi.so.12 => \(.*\) (.*/\1/p')
    wanted=$(readlink -f "$new/lib/libmpi.so.12")
    same "libmpi.so.12 of $program" "$(readlink -f "$used")" "$wanted"
    four_hellos "$new/bin/mpiexec" -n 4 ./$program
done
if [ -e "$new/lib/starling/libstarling_libfabric.so" ]; then # libmpi.so looks for its modules beside itself
    export STARLING_DEVICES=libfabric
    four_hellos "$new/bin/mpiexec" -n 4 ./direct
    mv "$new/lib/starling" "$new/lib/elsewhere"
    ! "$new/bin/mpiexec" -n 2 ./direct 2>errors || fail "a module that is not there was found"
    grep -q "$new/lib/starling/libstarling_libfabric.so" errors || { cat errors >&2; fail "the error does not name the missing module"; }
fi
