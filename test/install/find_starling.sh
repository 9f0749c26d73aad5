# find_starling.sh — find_package(Starling) gives Starling::mpi.
. "$(dirname "$0")/common.sh"
cp "$SOURCE/examples/hello.c" .
cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(User LANGUAGES C)
find_package(Starling 0.1 REQUIRED)
add_executable(c hello.c)
target_link_libraries(c PRIVATE Starling::mpi)
C
quietly "$CMAKE" -S . -B b -DCMAKE_PREFIX_PATH="$PREFIX"
quietly "$CMAKE" --build b
four_hellos mpiexec -n 4 b/c
