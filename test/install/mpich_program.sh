# mpich_program.sh — a program built by MPICH's mpicc runs on Starling's library and mpiexec.
. "$(dirname "$0")/common.sh"
need mpicc.mpich
mpicc.mpich "$SOURCE/examples/heat.c" -o heat -lm
export LD_LIBRARY_PATH="$PREFIX/lib"
used=$(ldd ./heat | sed -n 's/.*libmpich\?.so.12 => \(.*\) (.*/\1/p')
same "library used" "$used" "$(ls -d "$PREFIX"/lib/"$(basename "$used")")"
quietly mpiexec -n 4 ./heat
grep -q '^heat: ' quietly.log || fail "heat printed: $(cat quietly.log)"
if command -v mpiexec.hydra >/dev/null; then
    quietly mpiexec.hydra -n 4 ./heat
fi
