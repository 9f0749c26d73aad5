# cxx.sh — a C++ program needs no file of MPI but mpi.h.
. "$(dirname "$0")/common.sh"
need c++
cat >sum.cc <<'C'
#include <mpi.h>
#include <iostream>
#include <vector>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<double> mine(100, rank), sum(100);
    MPI_Allreduce(mine.data(), sum.data(), 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        std::cout << "sum " << sum[99] << std::endl;
    MPI_Finalize();
    return 0;
}
C
mpicxx -std=c++11 -Wall -Wextra -Werror sum.cc -o sum
same "output of sum" "$(mpiexec -n 4 ./sum)" "sum 6"
mpicxx -std=c++98 -pedantic -fsyntax-only -x c++ - <<'C'
#include <mpi.h>
int main() { return MPI_Init(0, 0); }
C
