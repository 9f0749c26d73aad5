# sanitizer.sh — AddressSanitizer finds no leak and no error of the library in a program.
. "$(dirname "$0")/common.sh"
echo 'int main(void) { return 0; }' >probe.c
mpicc -fsanitize=address,undefined probe.c -o probe 2>/dev/null && ./probe 2>/dev/null ||
    { echo "skipped: no AddressSanitizer here"; exit 77; }
export ASAN_OPTIONS=detect_leaks=1:halt_on_error=1:exitcode=23
export UBSAN_OPTIONS=halt_on_error=1

for p in hello ring heat; do
    mpicc -g -fsanitize=address,undefined "$SOURCE/examples/$p.c" -o $p -lm
    quietly mpiexec -n 4 ./$p
    grep -E 'ERROR|runtime error' quietly.log && fail "$p"
done
# Singletons, too. A leak of the program itself is found, so the detector was active.
quietly ./hello
cat >leak.c <<'C'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    static void *volatile last; /* a stale register may still point to one of them, not to all */

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++)
        last = malloc(42);
    last = NULL;
    MPI_Finalize();
    return 0;
}
C
mpicc -g -fsanitize=address leak.c -o leak
mpiexec -n 2 ./leak >leak.log 2>&1 && fail "a leak was not found"
grep -q 'detected memory leaks' leak.log || { cat leak.log >&2; fail "the wrong failure"; }
