# find_starling.sh — find_package(Starling) gives Starling::mpi and Starling::mpifort, with any
# compiler.
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

need_fortran
mkdir f
cp hello.f90 f
cat >f/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(User LANGUAGES Fortran)
find_package(Starling 0.1 REQUIRED)
add_executable(fortran hello.f90)
target_link_libraries(fortran PRIVATE Starling::mpifort)
C
for compiler in $fc $others; do
    quietly "$CMAKE" -S f -B "f/$compiler" -DCMAKE_PREFIX_PATH="$PREFIX" "-DCMAKE_Fortran_COMPILER=$compiler"
    quietly "$CMAKE" --build "f/$compiler"
    ours_fortran "f/$compiler/fortran"
    four_hellos mpiexec -n 4 "f/$compiler/fortran"
done
