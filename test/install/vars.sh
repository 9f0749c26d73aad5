# vars.sh — starling-vars.sh and the modulefile put a tree first in the lists of paths, once, wherever it
# has been moved to, from each shell.
. "$(dirname "$0")/common.sh"
mkdir 'new place' links
cp -R "$PREFIX" 'new place/mpi'
here="$PWD/new place/mpi"
ln -s "$here/bin/starling-vars.sh" links/starling-vars.sh
wanted="$here/bin:/usr/bin:/bin
$here/share/man:
$here/lib/pkgconfig
$here:/elsewhere"
print='printf "%s\n" "$PATH" "$MANPATH" "$PKG_CONFIG_PATH" "$CMAKE_PREFIX_PATH"'

# clean COMMAND...: with the variables that a login has.
clean() { env -i HOME="$PWD" PATH=/usr/bin:/bin CMAKE_PREFIX_PATH=/elsewhere "$@"; }
for shell in 'bash --norc' 'bash --posix' dash 'zsh -f' 'busybox sh' ksh; do
    command -v "${shell%% *}" >/dev/null || continue
    for file in "$here/bin/starling-vars.sh" "$PWD/links/starling-vars.sh"; do
        # shellcheck disable=SC2086 # words on purpose
        same "$shell" "$(clean $shell -euc ". '$file'; . '$file'; $print" 2>&1)" "$wanted"
    done
    # shellcheck disable=SC2086
    same "variables in $shell" "$(clean $shell -euc ". '$file'; set" | grep -ci '^starling')" 0
    # shellcheck disable=SC2086
    same "$shell in a subshell" "$(clean $shell -euc "(. '$file'; $print)" 2>&1)" "$wanted"
done
# Behind others it comes first, and is there once.
same "behind another" "$(PATH="/other/bin:$here/bin:/usr/bin:/bin" bash -euc ". '$file'; echo \"\$PATH\"")" \
    "$here/bin:/other/bin:/usr/bin:/bin"
same "pages of others" "$(MANPATH=/other/man bash -euc ". '$file'; echo \"\$MANPATH\"")" \
    "$here/share/man:/other/man"
# A file that does not know where it is says so, and takes what it is told.
cp "$here/bin/starling-vars.sh" alone.sh
! clean bash -c '. ./alone.sh' 2>errors || fail "a file alone has set something"
grep -q 'set starling_prefix' errors || fail "it does not say what to do: $(cat errors)"
same starling_prefix "$(clean dash -euc "starling_prefix='$here'; . ./alone.sh; $print")" "$wanted"

need tclsh
cat >modules.tcl <<'T'
proc module-whatis text {}
proc conflict args {}
proc prepend-path {name path} { puts "$name=$path" }
proc append-path {name path} {}
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
T
same modulefile "$(tclsh modules.tcl "$here"/share/modulefiles/starling/*)" "PATH=$here/bin
MANPATH=$here/share/man
PKG_CONFIG_PATH=$here/lib/pkgconfig
CMAKE_PREFIX_PATH=$here"
