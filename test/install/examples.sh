# examples.sh — the examples build as their Makefile and CMakeLists.txt say, and give right results.
. "$(dirname "$0")/common.sh"
cp "$SOURCE"/examples/* .

if command -v make >/dev/null; then
    quietly make run
    for line in '^pi is 3.141592653590, error [0-9.]*e-1[34]' '^heat: .* error [0-9.]*e-10,' \
        '^the token made 8000 of 8000 hops' '^4 workers found 78498 primes below 1000000' \
        '^ocean: 1000 points of 2 ranks in 100 steps, error [0-9.]*e-1[0-9]' \
        '^air: 1000 points of 3 ranks in 100 steps, error [0-9.]*e-1[0-9]'; do
        grep -q "$line" quietly.log || fail "wanted: $line, got: $(cat quietly.log)"
    done
    quietly make clean
fi
quietly "$CMAKE" -S . -B b
quietly "$CMAKE" --build b
four_hellos mpiexec -n 4 b/hello
# The same steps and the same result on any number of ranks.
for n in 1 2 3 5; do
    mpiexec -n $n b/heat | sed 's/ in [^,]*,//' >heat.$n
    diff heat.1 heat.$n || fail "heat differs with $n ranks"
done
