# configure.sh — optional libraries: AUTO takes a library that is there and says so, ON fails
# without it, OFF does not look for it; and the path where libmpi and starling_info find the
# settings file.
. "$(dirname "$0")/common.sh"
need pkg-config

# configure NAME OPTION...: in the directory NAME, its output in NAME.log.
configure() {
    name=$1
    shift
    "$CMAKE" -S "$SOURCE" -B "$name" -DSTARLING_TESTS=OFF -DSTARLING_LTO=OFF \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >"$name.log" 2>&1
}
# Here neither library has headers: another hwloc.h comes first, pkg-config finds nothing.
mkdir none
echo '#error "this stands for none"' >none/hwloc.h
bare() { C_INCLUDE_PATH=$PWD/none PKG_CONFIG_LIBDIR=$PWD/none configure "$@"; }

# says NAME TEXT, compiles NAME FILE DEFINITION: checks the output and the result of configuring
# NAME.
says() {
    tr -s ' \n' '  ' <"$1.log" | grep -qF -- "$2" || { cat "$1.log" >&2; fail "$1: no <$2>"; }
}
compiles() {
    grep '"command": .*'"/$2\"" "$1/compile_commands.json" | tr -d '\\"' | grep -qF -- " -D$3 " ||
        fail "$1: $2 is compiled without $3"
}

bare auto || { cat auto.log >&2; fail "AUTO does without"; }
says auto "libfabric: not built in, pkg-config finds no"
says auto "hwloc: not built in, the compiler finds no"
compiles auto place.c HAVE_HWLOC=0
! grep -q 'libfabric\.c' auto/compile_commands.json || fail "the device is built without headers"

for option in -DSTARLING_HWLOC=ON -DSTARLING_LIBFABRIC=ON '-DSTARLING_DEVICES=self;libfabric' \
    -DSTARLING_HWLOC=maybe -DSTARLING_LIBFABRIC=maybe; do
    rm -rf on
    ! bare on "$option" || fail "$option is taken, without headers"
    case $option in
    *maybe) says on "is maybe: AUTO, ON and OFF are known" ;;
    *HWLOC*) says on "no hwloc.h of hwloc 2: \`tools/install-deps hwloc\`" ;;
    *) says on "no headers of libfabric 1.9 or newer: \`tools/install-deps libfabric\`" ;;
    esac
done

# OFF, also after a run that found the libraries; several directories below the prefix; outside of
# it.
configure off -DCMAKE_INSTALL_LIBDIR=lib/some/where
configure off -DSTARLING_HWLOC=OFF -DSTARLING_LIBFABRIC=OFF
says off "libfabric: not built in, STARLING_LIBFABRIC is OFF"
says off "hwloc: not built in, STARLING_HWLOC is OFF"
compiles off place.c HAVE_HWLOC=0
! grep -q 'libfabric\.c' off/compile_commands.json || fail "the device is built with OFF"
compiles off settings.c STARLING_ETC=../../../etc/starling.conf
configure off -DCMAKE_INSTALL_PREFIX=/usr
compiles off settings.c STARLING_ETC=/etc/starling.conf

if echo '#include <hwloc.h>' | cc -E - >/dev/null 2>&1 && pkg-config libfabric; then
    configure here -DSTARLING_HWLOC=ON -DSTARLING_LIBFABRIC=ON '-DSTARLING_DEVICES=self;shm'
    says here "libfabric: built in, with the headers of $(pkg-config --modversion libfabric)"
    says here "hwloc: built in"
    compiles here place.c HAVE_HWLOC=1
    grep -q 'libfabric\.c' here/compile_commands.json || fail "ON builds no device"
fi
