/* heat.c — the temperature of a square plate whose edges are held at x*x - y*y.
 *
 * Jacobi's method: in each step every inner point becomes the mean of its four neighbors, until
 * no point changes. Each rank has a block of rows and, above and below it, a copy of the nearest
 * row of its neighbors (the halo), which is renewed in each step. The exact solution is x*x -
 * y*y.
 *
 * usage: mpiexec -n 4 heat [points along an edge] */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int points = 48;

static double exact(int row, int column)
{
    double x = (double) column / (points - 1), y = (double) row / (points - 1);

    return x * x - y * y;
}

/* All ranks get the same number of rows; when it does not divide evenly the first ranks get one
 * more. */
static int first_row(int rank, int size)
{
    int inner = points - 2, extra = inner % size;

    return 1 + rank * (inner / size) + (rank < extra ? rank : extra);
}

/* Sends the first and last row to the neighbors and receives their rows into the halo. At the edge
 * of the plate the neighbor is MPI_PROC_NULL: no data are sent, and the halo does not change. */
static void exchange(double *plate, int rows, int above, int below)
{
    double *top = plate + points, *bottom = plate + (size_t) rows * points;

    MPI_Sendrecv(top, points, MPI_DOUBLE, above, 1, bottom + points, points, MPI_DOUBLE, below, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(bottom, points, MPI_DOUBLE, below, 2, plate, points, MPI_DOUBLE, above, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* One step from `from` to `to`; returns the largest change of a point in these rows. */
static double step(const double *from, double *to, int rows)
{
    double change = 0;

    for (int r = 1; r <= rows; r++) {
        for (int c = 1; c < points - 1; c++) {
            const double *p = from + (size_t) r * points + c;
            double mean = 0.25 * (p[-points] + p[points] + p[-1] + p[1]);

            change = fmax(change, fabs(mean - *p));
            to[(size_t) r * points + c] = mean;
        }
    }
    return change;
}

int main(int argc, char **argv)
{
    int rank, size, steps = 0;
    double all, start;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        points = atoi(argv[1]);

    int first = first_row(rank, size), rows = first_row(rank + 1, size) - first;
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *now = calloc((size_t) (rows + 2) * points, sizeof *now);
    double *next = calloc((size_t) (rows + 2) * points, sizeof *next);

    if (!now || !next || points < size + 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    /* The edges of the plate have their exact values, all other points start with 0. */
    for (int r = 0; r < rows + 2; r++)
        for (int c = 0; c < points; c++) {
            int row = first - 1 + r, edge = row == 0 || row == points - 1 || c % (points - 1) == 0;

            now[r * points + c] = next[r * points + c] = edge ? exact(row, c) : 0;
        }

    start = MPI_Wtime();
    do {
        double *old = now, mine;

        exchange(now, rows, above, below);
        mine = step(now, next, rows);
        now = next;
        next = old;
        /* All ranks get the same result and therefore stop in the same step. */
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        steps++;
    } while (all > 1e-12 && steps < 100000);

    double mine[2] = { 0, 0 }, error, sum;

    for (int r = 1; r <= rows; r++)
        for (int c = 0; c < points; c++) {
            double value = now[r * points + c];

            mine[0] = fmax(mine[0], fabs(value - exact(first - 1 + r, c)));
            mine[1] += value * value;
        }
    MPI_Reduce(&mine[0], &error, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine[1], &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("heat: %d steps in %.2f s, last change %.1e, error %.1e, checksum %.9f\n", steps,
               MPI_Wtime() - start, all, error, sum);
    free(now);
    free(next);
    MPI_Finalize();
    return all > 1e-12;
}
