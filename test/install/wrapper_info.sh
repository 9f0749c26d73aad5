# wrapper_info.sh — the options by which build systems query mpicc, as MPICH and Open MPI have them.
. "$(dirname "$0")/common.sh"
cp "$SOURCE/examples/hello.c" .

F=-L$PREFIX/lib/starling/link
I=-I$PREFIX/include
rpath="-L$PREFIX/lib -Wl,-rpath,$PREFIX/lib,--enable-new-dtags"
L="$rpath $PREFIX/lib/libmpi.so"
cc=$(mpicc --showme:command)
same command "$cc" "$(mpicc -show | sed 's/ .*//')"
for option in -show --show -showme --showme -link-info -link_info; do
    same "mpicc $option" "$(mpicc $option)" "$cc $F $I $L"
done
same "mpicc -show -x c" "$(mpicc -show -x c a b)" "$cc $F -x c a b $I $rpath -x none $PREFIX/lib/libmpi.so"
same "mpicc -show file" "$(mpicc -show -O2 hello.c -o 'a b')" "$cc $F -O2 hello.c -o \"a b\" $I $L"
for option in -compile-info -compile_info '-show -c'; do
    # shellcheck disable=SC2086 # words on purpose
    same "mpicc $option" "$(mpicc $option x.c | sed 's/ -c / /')" "$cc x.c $I"
done
for dashes in - --; do
    same compile "$(mpicc ${dashes}showme:compile)" "$I"
    same link "$(mpicc ${dashes}showme:link)" "$rpath -lstarling"
    same incdirs "$(mpicc ${dashes}showme:incdirs)" "$PREFIX/include"
    same libdirs "$(mpicc ${dashes}showme:libdirs)" "$PREFIX/lib"
    same libs "$(mpicc ${dashes}showme:libs)" starling
    mpicc ${dashes}showme:help | grep -q 'showme:WORD' || fail "showme:help"
done
case $(mpicc --showme:version) in
"mpicc: Starling "[0-9]*) ;;
*) fail "mpicc --showme:version: $(mpicc --showme:version)" ;;
esac

# The output of -show works in a shell.
eval "$(mpicc -show hello.c -o shown)"
four_hellos mpiexec -n 4 ./shown

# The flags work with any compiler, also after a directory with another libmpi.so.
mkdir rival
echo 'int MPI_Init(int *argc, char ***argv); int MPI_Init(int *c, char ***v) { return !c || !v; }' >r.c
cc -shared -fPIC r.c -o rival/libmpi.so
# shellcheck disable=SC2046 # words on purpose
cc hello.c -Lrival -o flags $(mpicc --showme:compile) $(mpicc --showme:link)
ours flags
four_hellos mpiexec -n 4 ./flags
