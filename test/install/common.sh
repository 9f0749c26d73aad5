# common.sh — what the tests of an installed tree share. They print nothing when all is well.
set -eu
export LC_ALL=C
# The caller's own choices would hide ours.
unset CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS STARLING_CC STARLING_CXX MPICH_CC MPICH_CXX DESTDIR
unset LD_LIBRARY_PATH PKG_CONFIG_PATH
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

# quietly COMMAND...: shows what it printed only when it fails.
quietly() {
    "$@" >quietly.log 2>&1 || { cat quietly.log >&2; fail "failed: $*"; }
}

# same WHAT GOT WANTED
same() {
    [ "$2" = "$3" ] || fail "$1: got <$2>, wanted <$3>"
}

# four_hellos COMMAND...: the command is hello.c run by four processes.
four_hellos() {
    "$@" >hellos 2>errors || { cat hellos errors >&2; fail "failed: $*"; }
    same "lines of $*" "$(grep -c '^hello from rank [0-3] of 4 on ' hellos)" 4
    [ ! -s errors ] || { cat errors >&2; fail "$* wrote this to stderr"; }
}
