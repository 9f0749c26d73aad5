# settings.sh — libmpi and starling_info read etc/starling.conf of the tree that they are in, wherever
# that has been installed or moved to.
. "$(dirname "$0")/common.sh"
cp "$SOURCE/examples/hello.c" .
mkdir 'new place'
cp -R "$PREFIX" 'new place/mpi'
new="$PWD/new place/mpi"
mkdir -p "$new/etc"
printf 'EAGER_CREDIT=300k\nNO_SUCH_SETTING=1\n' >"$new/etc/starling.conf"
wanted="STARLING_EAGER_CREDIT=307200 (default 0, from $new/etc/starling.conf)"

for command in "$new/bin/starling_info" "$new/bin/mpiexec"; do
    option=--settings
    [ "$command" = "$new/bin/starling_info" ] || option=--help-settings
    "$command" $option >settings 2>errors || fail "$command $option failed"
    grep -qxF "$wanted" settings || { cat settings >&2; fail "$command: no <$wanted>"; }
    grep -q NO_SUCH_SETTING errors || fail "$command does not complain of the file"
done
ln -s 'new place/mpi/bin' short
(PATH=$PWD/short:$PATH && cd / && starling_info) >info
grep -qxF "settings: $new/etc/starling.conf" info || { cat info >&2; fail "called through a link"; }
"$PREFIX/bin/starling_info" | grep -qxF "settings: $PREFIX/etc/starling.conf" ||
    fail "starling_info does not say where it looked"

# starling_info needs no /proc, which is missing while the image of a container is built.
if unshare -rm true 2>/dev/null; then
    unshare -rm sh -c "mount -t tmpfs none /proc && exec '$new/bin/starling_info'" >info 2>&1 || true
    grep -qxF "settings: $new/etc/starling.conf" info || { cat info >&2; fail "without /proc"; }
fi

# With a program, by the place of the library: two trees, one program.
"$PREFIX/bin/mpicc" hello.c -o hello
quietly "$PREFIX/bin/mpiexec" -n 2 ./hello
! grep -q NO_SUCH_SETTING quietly.log || fail "the file of another tree was read"
quietly env LD_LIBRARY_PATH="$new/lib" "$PREFIX/bin/mpiexec" -n 2 ./hello
grep -q NO_SUCH_SETTING quietly.log || fail "libmpi did not read $new/etc/starling.conf"
