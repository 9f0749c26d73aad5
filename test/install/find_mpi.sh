# find_mpi.sh — CMake's find_package(MPI) finds Starling, for C and C++, when its bin is in PATH
# first, and no Fortran; next to another MPI, also where the project looks for other libraries near
# that one.
. "$(dirname "$0")/common.sh"
need c++
need_rival
cp "$SOURCE/examples/hello.c" .
cp hello.c hello.cc
sed -i 's/names = malloc/names = (char *) malloc/' hello.cc
cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(User LANGUAGES C CXX)
find_package(MPI 3.0 REQUIRED COMPONENTS C CXX)
message("MPIEXEC ${MPIEXEC_EXECUTABLE} C ${MPI_C_INCLUDE_DIRS} CXX ${MPI_CXX_INCLUDE_DIRS}")
add_executable(c hello.c)
target_link_libraries(c PRIVATE MPI::MPI_C)
add_executable(cxx hello.cc)
target_link_libraries(cxx PRIVATE MPI::MPI_CXX)
C
quietly "$CMAKE" -S . -B b
grep -qF "MPIEXEC $PREFIX/bin/mpiexec C $PREFIX/include CXX $PREFIX/include" quietly.log ||
    { cat quietly.log >&2; fail "find_package(MPI) found something else"; }
quietly "$CMAKE" --build b
ours b/c b/cxx
four_hellos mpiexec -n 4 b/c
four_hellos mpiexec -n 4 b/cxx

quietly "$CMAKE" -S . -B near -DCMAKE_LIBRARY_PATH="$rival" -DCMAKE_EXE_LINKER_FLAGS="-L$rival"
quietly "$CMAKE" --build near
ours near/c near/cxx

need gfortran
mkdir f
cat >f/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(User LANGUAGES C Fortran)
find_package(MPI COMPONENTS C Fortran)
message("C ${MPI_C_FOUND} Fortran ${MPI_Fortran_FOUND}")
C
quietly "$CMAKE" -S f -B f/b
grep -q '^C TRUE Fortran FALSE$' quietly.log || { cat quietly.log >&2; fail "Fortran"; }
