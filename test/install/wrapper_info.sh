# wrapper_info.sh — what mpicc tells build systems about itself, in MPICH's and Open MPI's words.
. "$(dirname "$0")/common.sh"
cp "$SOURCE/examples/hello.c" .

I=-I$PREFIX/include
L="-L$PREFIX/lib -Wl,-rpath,$PREFIX/lib,--enable-new-dtags -lmpi"
cc=$(mpicc --showme:command | sed 's/ .*//')
for option in -show --show -showme --showme --showme:command -link-info -link_info; do
    same "mpicc $option" "$(mpicc $option)" "$cc $I $L"
done
same "mpicc -show file" "$(mpicc -show -O2 hello.c -o 'a b')" "$cc -O2 hello.c -o \"a b\" $I $L"
for option in -compile-info -compile_info '-show -c'; do
    # shellcheck disable=SC2086 # words on purpose
    same "mpicc $option" "$(mpicc $option x.c | sed 's/ -c / /')" "$cc x.c $I"
done
for dashes in - --; do
    same compile "$(mpicc ${dashes}showme:compile)" "$I"
    same link "$(mpicc ${dashes}showme:link)" "$L"
    same incdirs "$(mpicc ${dashes}showme:incdirs)" "$PREFIX/include"
    same libdirs "$(mpicc ${dashes}showme:libdirs)" "$PREFIX/lib"
    same libs "$(mpicc ${dashes}showme:libs)" mpi
done
case $(mpicc --showme:version) in
"mpicc: Starling "[0-9]*) ;;
*) fail "mpicc --showme:version: $(mpicc --showme:version)" ;;
esac

# What -show prints works in a shell.
eval "$(mpicc -show hello.c -o shown)"
four_hellos mpiexec -n 4 ./shown
# shellcheck disable=SC2046 # words on purpose
cc hello.c -o flags $(mpicc --showme:compile) $(mpicc --showme:link)
four_hellos mpiexec -n 4 ./flags
