# wrapper.sh — mpicc compiles and links as a compiler would, with any command line.
. "$(dirname "$0")/common.sh"
cp "$SOURCE/examples/hello.c" .

mpicc hello.c
four_hellos mpiexec -n 4 ./a.out
mpicc -c hello.c -o separate.o
[ -f separate.o ] || fail "-c made no object"
mpicc separate.o -o separate
four_hellos mpiexec -n 4 ./separate

# Without files, options are passed to the compiler: nothing is linked.
cc=$(mpicc -show | sed 's/ .*//')
for options in '' --version -dumpmachine '-o nothing'; do
    # shellcheck disable=SC2086 # words on purpose
    { $cc $options >wanted 2>&1 || true; mpicc $options >got 2>&1 || true; }
    diff wanted got || fail "mpicc $options does not print what $cc does"
done
mpicc && fail "mpicc without arguments should fail as the compiler does"

mpicc -E hello.c >preprocessed.i
grep -q 'MPI_Init *(' preprocessed.i || fail "-E did not include mpi.h"
mpicc -fsyntax-only hello.c
mpicc -M hello.c | grep -q "$PREFIX/include/mpi.h" || fail "-M does not name mpi.h"
mpicc -x c -o stdin.out - <hello.c
four_hellos mpiexec -n 4 ./stdin.out

# Starling's library is linked although an earlier -L, as of build tools, has another libmpi.so.
mkdir rival
echo 'int MPI_Init(int *argc, char ***argv); int MPI_Init(int *c, char ***v) { return !c || !v; }' >r.c
cc -shared -fPIC r.c -o rival/libmpi.so
cp rival/libmpi.so rival/libmpich.so
for options in -Lrival '-Lrival -lmpi' '-Lrival -lmpich'; do
    # shellcheck disable=SC2086 # words on purpose
    mpicc hello.c $options -o beside
    ours beside
    four_hellos mpiexec -n 4 ./beside
done

# Nothing is linked where no output can be: an object of objects, -c in a response file.
mpicc -c hello.c
mpicc -r hello.o -o more.o
echo '-c "-o" quiet.o' >options.txt
mpicc @options.txt hello.c 2>errors
[ ! -s errors ] || fail "mpicc @file with -c: $(cat errors)"

# Arguments arrive unchanged: spaces, quotes, wildcards, empty ones in response files.
mkdir 'a dir'
cat >'a dir/say.c' <<'C'
#include <mpi.h>
#include <stdio.h>
int main(void) { return puts(TEXT) < 0 || MPI_VERSION < 3; }
C
mpicc "-DTEXT=\"it's a * \$HOME \\\\ test\"" 'a dir/say.c' -o 'a dir/say *'
same "text through mpicc" "$('a dir/say *')" "it's a * \$HOME \\ test"
printf '%s\n' '"-DTEXT=\"from a file\""' '"a dir/say.c"' >options.txt
mpicc @options.txt -o from_file
same "text through a response file" "$(./from_file)" "from a file"

# A shared library and a program that uses it, both by mpicc.
cat >part.c <<'C'
#include <mpi.h>
int part(void);
int part(void) { int done = 0; return MPI_Initialized(&done) || done; }
C
echo 'int part(void); int main(void) { return part(); }' >whole.c
mpicc -shared -fPIC part.c -o libpart.so
readelf -d libpart.so | grep -q 'NEEDED.*libmpi.so.12' || fail "-shared did not link libmpi"
mpicc whole.c -L. -lpart -Wl,-rpath,"$PWD" -o whole
./whole
mpicc -shared -fPIC -Lrival part.c -o libpart.so
ours libpart.so

# The user can choose the compiler.
cat >other <<'C'
#!/bin/sh
echo "other $1"
C
chmod +x other
same STARLING_CC "$(STARLING_CC=./other mpicc hello.c)" "other hello.c"
same MPICH_CC "$(MPICH_CC=./other mpicc hello.c)" "other hello.c"
same "two words" "$(MPICH_CC='./other first' mpicc hello.c)" "other first"
same -cc "$(MPICH_CC=false mpicc -cc=./other hello.c)" "other hello.c"
same MPICH_CXX "$(MPICH_CXX=./other mpicxx hello.c)" "other hello.c"
