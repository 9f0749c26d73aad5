# names.sh — the other commands of an MPI: mpic++ and mpiCC are mpicxx, mpichversion prints what
# MPICH's does.
. "$(dirname "$0")/common.sh"

for name in mpic++ mpiCC; do
    for option in -show --showme:link '-show -c a.cc'; do
        # shellcheck disable=SC2086 # words on purpose
        same "$name $option" "$($name $option)" "$(mpicxx $option)"
    done
done
mpicxx --showme:version | grep -q '^mpicxx: Starling [0-9]' || fail "mpicxx has no version"

mpichversion >all
same "lines of mpichversion" "$(sed 's/: *	.*//' all | xargs -d '\n' printf '%s,')" \
"Starling Version,Starling Release date,Starling Device,Starling configure,Starling CC,\
Starling CXX,Starling F77,Starling FC,Starling Custom Information,"
version=$(mpicc --showme:version | sed 's/.* //')
same version "$(mpichversion -v | cut -f2)" "$version"
same device "$(starling_info | sed -n '1s/.*, devices \([^ ]*\), with .*/\1/p')" \
    "$(mpichversion --device | cut -f2)"
for options in '-v --version 1' '-D --date 1' '-d --device 1' '-c --configure 1' '-b --compiler 4' \
    '-u --custom 1'; do
    # shellcheck disable=SC2086 # words on purpose
    set -- $options
    mpichversion "$1" >one
    same "lines of mpichversion $1" "$(wc -l <one)" "$3"
    same "mpichversion $2" "$(mpichversion "$2")" "$(cat one)"
    # shellcheck disable=SC2094 # only read
    same "mpichversion $1 in all" "$(grep -cxF -f one all)" "$3"
done
! mpichversion --wrong 2>errors || fail "mpichversion takes --wrong"
grep -q -- --wrong errors || fail "the error does not name the option: $(cat errors)"
