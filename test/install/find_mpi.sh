# find_mpi.sh — CMake's find_package(MPI) finds Starling, for C, C++ and Fortran, when its bin is
# in PATH first; next to another MPI, also where the project looks for other libraries near
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

need_fortran
mkdir f
cp hello.f90 f
cat >f/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.20)
project(User LANGUAGES C Fortran)
set(MPI_DETERMINE_Fortran_CAPABILITIES TRUE)
find_package(MPI 3.0 REQUIRED COMPONENTS C Fortran)
foreach(WHAT HAVE_F77_HEADER HAVE_F90_MODULE HAVE_F08_MODULE F77_HEADER_SUBARRAYS F77_HEADER_ASYNCPROT
        F90_MODULE_SUBARRAYS F90_MODULE_ASYNCPROT F08_MODULE_SUBARRAYS F08_MODULE_ASYNCPROT)
    message("${WHAT} ${MPI_Fortran_${WHAT}}")
endforeach()
add_executable(fortran hello.f90)
target_link_libraries(fortran PRIVATE MPI::MPI_Fortran)
C
quietly "$CMAKE" -S f -B f/b "-DCMAKE_Fortran_COMPILER=$fc"
grep -E '^(HAVE_)?F(77|90|08)_' quietly.log >got
cat >wanted <<'C'
HAVE_F77_HEADER TRUE
HAVE_F90_MODULE TRUE
HAVE_F08_MODULE TRUE
F77_HEADER_SUBARRAYS FALSE
F77_HEADER_ASYNCPROT FALSE
F90_MODULE_SUBARRAYS FALSE
F90_MODULE_ASYNCPROT FALSE
F08_MODULE_SUBARRAYS TRUE
F08_MODULE_ASYNCPROT TRUE
C
diff wanted got || { cat quietly.log >&2; fail "FindMPI sees other properties of Fortran"; }
quietly "$CMAKE" --build f/b
ours_fortran f/b/fortran
four_hellos mpiexec -n 4 f/b/fortran
