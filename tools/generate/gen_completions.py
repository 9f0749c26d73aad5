#!/usr/bin/env python3
"""Writes the completions of mpiexec for bash, zsh and fish: options, their values, and then programs
and files.

Usage: gen_completions.py OUT HELP     writes OUT/bash/*, OUT/zsh/* and OUT/fish/*

HELP is the output of `mpiexec -help`, which is made from the table of options. The names of the
arguments say what is completed: FILE, DIR, PROGRAM, HOSTS, NAME and NAMES of variables. The values that
an option knows are below."""
import os
import re
import sys

sys.dont_write_bytecode = True      # no __pycache__ in tools/
from help_text import options, read_help

PARTS = 'hwthread core l1cache l2cache l3cache numa socket machine'
VALUES = {
    'bind-to': f'none rr user: {PARTS}',
    'map-by': f'slot node ppr: {PARTS}',
    'launcher': 'ssh rsh srun blaunch qrsh fork',
    'rmk': 'slurm pbs lsf sge user',
    'stdin': 'all none',
    'order-nodes': 'ASCENDING DESCENDING',
    'membind': 'none firsttouch',
    'output': 'tag timestamp merge-stderr-to-stdout rank dir=',
    'usize': 'SYSTEM INFINITE',
    'initial-errhandler': 'mpi_errors_are_fatal',
}
KINDS = {'FILE': 'file', 'DIR': 'dir', 'DIRS': 'dir', 'PROGRAM': 'command', 'HOSTS': 'host',
         'NAMES': 'variable', 'NAME[=VALUE]': 'variable'}
COMMANDS = 'mpiexec', 'mpirun'
NOTE = "# Completions of Starling's {0} for {1}, made by gen_completions.py from the help text."


def values_of(option):
    """The values of an option: those above, or an argument called yes|no."""
    first = option.params[0] if option.params else ''
    return VALUES.get(option.names[0], first.replace('|', ' ') if '|' in first else '')


def kind(option):
    """What the first argument of an option is."""
    if values_of(option):
        return 'value'
    if option.params[:2] == ['NAME', 'VALUE'] and 'env' in option.names[0]:
        return 'variable'
    return KINDS.get(option.params[0] if option.params else '', 'other')


def brief(option):
    """The first clause of the text of an option, without what shells take for syntax."""
    text = re.split(r'[.;:](?:\s|$)', option.text)[0]
    return re.sub(r'["\'`$\\\[\]:]', '', text)


def bash(known):
    """The function for bash: it does without the package bash-completion."""
    cases = {}
    for o in known:
        cases.setdefault((len(o.params), kind(o), values_of(o)), []).extend(o.names)
    yield NOTE.format('mpiexec', 'bash')
    yield '''
# Sets arity, kind and values of an option.
_starling_option() {
    arity=0 kind='' values=''
    case $1 in'''
    for (arity, what, values), names in sorted(cases.items()):
        if arity:
            pattern = '|'.join(n.replace('?', r'\?') for n in names)
            yield f"    {pattern}) arity={arity} kind={what} values='{values}' ;;"
    yield '''    esac
}

# Answers with the words of $1 that begin with $2, behind $3. Of a word with one of COMP_WORDBREAKS bash
# replaces only what is behind that.
_starling_answer() {
    local cut='' i
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
    [[ $3$2 == *[=:]* ]] && cut=${3}${2} && cut=${cut%"${cut##*[=:]}"}
    for i in "${!COMPREPLY[@]}"; do
        COMPREPLY[i]=$3${COMPREPLY[i]}
        COMPREPLY[i]=${COMPREPLY[i]#"$cut"}
    done
    [[ ${COMPREPLY[*]} == *[:=] ]] && compopt -o nospace 2>/dev/null
}

# The argument $1 of an option, which $2 is before in the same word.
_starling_argument() {
    case $kind in
    value) _starling_answer "$values" "$1" "$2" ;;
    dir) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$1") ;;
    command) mapfile -t COMPREPLY < <(compgen -c -- "$1") ;;
    host) _starling_answer "$(compgen -A hostname)" "$1" "$2" ;;
    variable) mapfile -t COMPREPLY < <(compgen -v -- "$1") ;;
    file) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$1") ;;
    esac
}

_starling_mpiexec() {
    local words word name arity kind values left=0 program='' ended='' i
    read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
    [[ ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && words+=('')
    word=${words[${#words[@]} - 1]}
    COMPREPLY=()
    for ((i = 1; i < ${#words[@]} - 1; i++)); do
        name=${words[i]#-} name=${name#-}
        if ((left)); then
            ((left--))
        elif [[ $program ]]; then
            [[ ${words[i]} == : ]] && program='' ended=''
        elif [[ ${words[i]} == -?* && ! $ended ]]; then
            _starling_option "$name"
            left=$arity
            [[ $arity == 2 && ${words[i + 1]} == *=* ]] && left=1 # -env A=1
            [[ ${words[i]} == -- ]] && ended=yes
        else
            program=${words[i]}
        fi
    done
    if ((left)); then
        ((left == arity)) && _starling_argument "$word" ''
    elif [[ $program ]]; then
        return # files
    elif [[ $word == -*=* ]]; then
        name=${word%%=*} name=${name#-}
        _starling_option "${name#-}"
        _starling_argument "${word#*=}" "${word%%=*}="
    elif [[ $word == --* && ! $ended ]]; then
        _starling_answer "${_starling_names//-./--}" "$word" ''
    elif [[ $word == -* && ! $ended ]]; then
        _starling_answer "${_starling_names//-./-}" "$word" ''
    elif [[ $word && $word != */* ]]; then
        mapfile -t COMPREPLY < <(compgen -c -- "$word")
    fi
}
'''
    yield "_starling_names='" + ' '.join(f'-.{n}' for o in known for n in o.names) + "'"
    yield f"complete -o bashdefault -o default -F _starling_mpiexec {' '.join(COMMANDS)}"


ZSH = {'file': '_files', 'dir': '_files -/', 'command': '_command_names -e', 'host': '_hosts',
       'variable': '_parameters -g "*export*"', 'other': ' '}


def zsh(known):
    """The function for zsh. Behind a colon it begins anew."""
    yield f'#compdef {" ".join(COMMANDS)}'
    yield NOTE.format('mpiexec', 'zsh')
    yield '''
_mpiexec() {
    local curcontext=$curcontext state line colon
    typeset -A opt_args
    _arguments -S : \\'''
    for o in known:
        values = values_of(o).replace(':', '\\:')
        action = f'({values})' if values else ZSH[kind(o)]
        arguments = ''.join(f':{re.sub("[^A-Z]", " ", p)}:{action if not i else " "}'
                            for i, p in enumerate(o.params))
        for name in (n for n in o.names if n != '?'):
            for dashes in '-', '--':
                yield f"        '*{dashes}{name}[{brief(o)}]{arguments}' \\"
    yield '''        '*::program:->program'
    [[ $state == program ]] || return
    colon=${words[(I):]}
    if ((colon && colon < CURRENT)); then
        words=(mpiexec "${(@)words[colon+1,-1]}")
        ((CURRENT -= colon - 1))
        _mpiexec
    else
        _normal
    fi
}

_mpiexec "$@"'''


FISH = {'file': '-rF', 'dir': "-xa '(__fish_complete_directories)'", 'host': "-xa '(__fish_print_hostnames)'",
        'command': "-xa '(__fish_complete_command)'", 'variable': "-xa '(set -xn)'", 'other': '-x'}


def fish(known):
    """The commands for fish. Options are those before the program, or before one behind a colon."""
    one, two = (' '.join(f'-{n} --{n}' for o in known if len(o.params) == count for n in o.names)
                for count in (1, 2))
    yield NOTE.format('mpiexec', 'fish')
    yield f'''
set -g __starling_one_argument {one}
set -g __starling_two_arguments {two}

# The words behind the last colon, without options and their arguments: the program and its arguments.
function __starling_program
    set -l words (commandline -cop) (commandline -ct)
    set -e words[1]
    set -l skip 0
    set -l found
    for word in $words
        if test "$word" = :
            set found
        else if test (count $found) -gt 0
            set -a found $word
        else if test $skip -gt 0
            set skip (math $skip - 1)
            string match -q -- '*=*' $word; and set skip 0 # -env A=1
        else if contains -- $word $__starling_one_argument
            set skip 1
        else if contains -- $word $__starling_two_arguments
            set skip 2
        else if not string match -q -- '-?*' $word
            set found $word
        end
    end
    string join \\n -- $found
end

function __starling_before_program
    test (count (__starling_program)) -le 1
end

complete -c mpiexec -n 'not __starling_before_program' -xa '(complete -C (string join " " -- (__starling_program)))'
complete -c mpiexec -n __starling_before_program -xa '(__fish_complete_command)'
complete -c mpiexec -n __starling_before_program -F'''
    for o in known:
        action = f"-xa '{values_of(o)}'" if kind(o) == 'value' else \
            FISH[kind(o)] if o.params else '-f'
        for name in (n for n in o.names if n != '?'):
            old = '-s' if len(name) == 1 else '-o'
            yield f"complete -c mpiexec -n __starling_before_program {old} {name} -l {name} {action} " \
                  f"-d '{brief(o)}'"


def write(out, name, text):
    """Writes a file."""
    path = os.path.join(out, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='ascii') as f:
        f.write('\n'.join(text) + '\n')


def main(out, help_file):
    """Writes all files."""
    with open(help_file, encoding='ascii') as f:
        known = options(read_help(f.read())[2])
    missing = set(VALUES) - {name for o in known for name in o.names}
    if missing:
        sys.exit(f'gen_completions.py: mpiexec has no option {", ".join(sorted(missing))}')
    write(out, 'bash/mpiexec', bash(known))
    write(out, 'zsh/_mpiexec', zsh(known))
    write(out, 'fish/mpiexec.fish', fish(known))
    for shell, name, text in (('bash', 'mpirun', '. "${BASH_SOURCE[0]%/*}/mpiexec"'),
                              ('fish', 'mpirun.fish', 'complete -c mpirun -w mpiexec')):
        write(out, f'{shell}/{name}', [NOTE.format('mpirun', shell), text])


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
