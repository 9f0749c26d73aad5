# recipes.sh — the recipes of Spack and conda can be read, and have this version; conda's script installs
# what its recipe tests for.
. "$(dirname "$0")/common.sh"
need python3 ninja
version=$(sed -n 's/^#define STARLING_VERSION *"\(.*\)"/\1/p' "$SOURCE/include/mpi.h")
python3 - "$SOURCE/packaging/spack/packages/starling/package.py" <<'P'
import ast, sys
tree = ast.parse(open(sys.argv[1], encoding='utf-8').read())
package = next(n for n in tree.body if isinstance(n, ast.ClassDef))
called = {n.value.func.id for n in package.body if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call)}
missing = {'version', 'variant', 'provides', 'depends_on', 'license'} - called
sys.exit(f'package.py has no {missing}' if missing else 0)
P
for option in $(grep -ohE 'STARLING_[A-Z_]+' "$SOURCE/packaging/spack/packages/starling/package.py" \
    "$SOURCE/packaging/conda/build.sh"); do
    grep -qE "(option|set)\($option " "$SOURCE/CMakeLists.txt" "$SOURCE"/cmake/*.cmake ||
        fail "a recipe sets $option, which is no option of CMake"
done
grep -q "{% set version = \"$version\" %}" "$SOURCE/packaging/conda/meta.yaml" ||
    fail "packaging/conda/meta.yaml is of another version than $version"

# As conda-build calls it. The files that its section `test` names must be there.
quietly env CMAKE_ARGS=-DSTARLING_LTO=OFF SRC_DIR="$SOURCE" PREFIX="$PWD/env" CPU_COUNT=2 CC="$(command -v cc)" bash "$SOURCE/packaging/conda/build.sh"
sed -n 's/^ *- test -[ex] \$PREFIX\///p' "$SOURCE/packaging/conda/meta.yaml" >named
[ -s named ] || fail "meta.yaml tests for no files"
while read -r file; do
    [ -e "env/$file" ] || fail "build.sh installs no $file"
done <named
cp "$SOURCE/examples/hello.c" .
env/bin/mpicc hello.c -o hello
four_hellos env/bin/mpiexec -n 4 ./hello
