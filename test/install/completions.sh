# completions.sh — bash, fish and zsh, where they are, complete the options of mpiexec, their values, and
# programs; behind a colon they begin anew.
. "$(dirname "$0")/common.sh"
export HOME=$WORK share=$PREFIX/share

# Each line: what is typed, '|', and an answer that must be there; with '!', that must not.
cat >lines <<'EOF'
mpiexec -bind-t|-bind-to
mpirun --bind-t|--bind-to
mpiexec -bind-to so|socket
mpiexec --bind-to=so|=socket
mpiexec -output ta|tag
mpiexec -n 2 -genv PATH x -hostf|-hostfile
mpiexec -n 2 -genv A=1 sh -hostf|!-hostfile
mpiexec -n 2 sh : -hostf|-hostfile
mpiexec -n 2 mpico_prog|mpico_program
mpiexec -n 2 -wdir sub|subdirectory
EOF
mkdir -p subdirectory bin
printf '#!/bin/sh\n' >bin/mpico_program
chmod +x bin/mpico_program
PATH=$PWD/bin:$PATH

# check SHELL FILE: FILE has what the shell answers, for each line one line that ends with '|'.
check() {
    same "answers of $1" "$(wc -l <"$2")" "$(wc -l <lines)"
    paste -d '|' lines "$2" | while IFS='|' read -r typed wanted answers; do
        found=$(printf '%s\n' "$answers" | tr ' ' '\n' | grep -cxF -e "${wanted#[=!]}" -e "--bind-to$wanted" || true)
        case $wanted$found in
        !*0 | [!!]*[1-9]*) ;;
        *) fail "$1 completes <$typed> with <$answers>: $wanted" ;;
        esac
    done
}

cat >ask.bash <<'EOF'
. "$share/bash-completion/completions/mpirun"
while IFS='|' read -r line _; do
    COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
    _starling_mpiexec 2>>errors
    echo "${COMPREPLY[*]}|"
done <lines
EOF
bash ask.bash >bash.answers
[ ! -s errors ] || fail "bash: $(cat errors)"
check bash bash.answers
bash -c '. "$share/bash-completion/completions/mpirun"; complete -p mpiexec mpirun' >bash.names
same "commands of bash" "$(grep -c _starling_mpiexec bash.names)" 2

# Each option of the help text is known.
mpiexec -help | sed -nE 's/^  -([^ ]+).*/\1/p; s/^ *Also:(.*)/\1/p' | tr -s ' ' '\n' | sed 's/^-//' | grep -v '^?*$' >names
tr ' ' '\n' <"$share/bash-completion/completions/mpiexec" | sed -nE "s/^(_starling_names=')?-\.//p" | tr -d "'" >known
same "options that bash does not know" "$(grep -vxF -f known names || true)" ''
[ "$(wc -l <names)" -gt 80 ] || fail "only $(wc -l <names) options were found"

if command -v fish >/dev/null; then
    cat >ask.fish <<'EOF'
while read -l -d '|' line rest
    echo (string join ' ' -- (complete -C "$line" | string replace -r '\t.*' '' | string trim -r -c /))'|'
end <lines
EOF
    XDG_DATA_DIRS=$share:/usr/local/share:/usr/share fish ask.fish >fish.answers 2>errors || fail "fish: $(cat errors)"
    check fish fish.answers
fi

# zsh completes only where a user types.
if command -v zsh >/dev/null; then
    cat >ask.zsh <<'EOF'
zmodload zsh/zpty
zpty z env TERM=dumb COLUMNS=200 zsh -f -i
zpty -w z "fpath=($share/zsh/site-functions \$fpath); autoload -Uz compinit; compinit -u -D; setopt no_beep; PS1='ready> '"
zpty -r z out $'*\n*ready> ' || exit 1
while IFS='|' read -r line wanted; do
    [[ $wanted == (!*|=*) ]] && continue
    zpty -w -n z "$line"$'\t'
    zpty -r z out "*${wanted:t}*" || exit 1
    zpty -w -n z $'\x15'
done <lines
zpty -d z
EOF
    timeout 20 zsh -f ask.zsh >errors 2>&1 || fail "zsh: $(cat errors)"
fi
