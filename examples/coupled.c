/* coupled.c — two programs that run side by side and exchange a field in each step: the temperature
 * of an ocean, and that of the air above it.
 *
 * Each program has a mpiexec of its own, and any number of ranks. The ocean opens a port and writes
 * its name to a file, by which the air connects. In each step every point gives heat to the one
 * that it touches in the other program, until both have the same temperature.
 *
 * usage: mpiexec -n 2 coupled ocean FILE & mpiexec -n 3 coupled air FILE */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { POINTS = 1000, STEPS = 100 };

/* The name is all that a process needs to connect, so the file is for its user alone. It appears
 * whole. */
static void write_port(const char *file, const char *port)
{
    char made[4096];

    snprintf(made, sizeof made, "%s.new", file);
    umask(077);
    FILE *f = fopen(made, "w");
    if (!f || fputs(port, f) < 0 || fclose(f) || rename(made, file)) {
        perror(made);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void read_port(const char *file, char *port)
{
    FILE *f;

    while (!(f = fopen(file, "r")))
        usleep(10000);
    if (!fgets(port, MPI_MAX_PORT_NAME, f))
        MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(f);
}

/* Rank 0 alone knows the port. Returns the intercommunicator of the two programs. */
static MPI_Comm meet(int is_ocean, const char *file, int rank)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;

    if (!is_ocean) {
        if (rank == 0)
            read_port(file, port);
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
        return other;
    }
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        write_port(file, port);
    }
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
    if (rank == 0) {
        unlink(file);
        MPI_Close_port(port);
    }
    return other;
}

/* The points of rank are those from first_point(rank) to first_point(rank + 1) - 1. */
static int first_point(int rank, int size) { return (int) ((long) POINTS * rank / size); }

static double start_temperature(int is_ocean, int point)
{
    return is_ocean ? 280 + 10.0 * point / POINTS : 300;
}

/* Each rank gets the whole field of the other program, which has divided its points otherwise. */
static void exchange(const double *mine, int points, double *theirs, MPI_Comm other)
{
    int n;

    MPI_Comm_remote_size(other, &n);
    int *count = malloc((size_t) n * sizeof *count), *place = malloc((size_t) n * sizeof *place);

    if (!count || !place)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++) {
        place[i] = first_point(i, n);
        count[i] = first_point(i + 1, n) - place[i];
    }
    MPI_Allgatherv(mine, points, MPI_DOUBLE, theirs, count, place, MPI_DOUBLE, other);
    free(count);
    free(place);
}

int main(int argc, char **argv)
{
    static double mine[POINTS], theirs[POINTS];
    double worst = 0, error;
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int is_ocean = argc == 3 && strcmp(argv[1], "ocean") == 0;
    if (argc != 3 || (!is_ocean && strcmp(argv[1], "air") != 0)) {
        if (rank == 0)
            fprintf(stderr, "usage: coupled ocean FILE, and coupled air FILE\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    MPI_Comm other = meet(is_ocean, argv[2], rank);
    int first = first_point(rank, size), points = first_point(rank + 1, size) - first;

    for (int i = 0; i < points; i++)
        mine[i] = start_temperature(is_ocean, first + i);
    for (int step = 0; step < STEPS; step++) {
        exchange(mine, points, theirs, other);
        for (int i = 0; i < points; i++)
            mine[i] += 0.2 * (theirs[first + i] - mine[i]);
    }
    MPI_Comm_disconnect(&other);

    /* Nothing is lost between the two: all have the mean of what they had. */
    for (int i = 0; i < points; i++) {
        double mean = 0.5 * (start_temperature(1, first + i) + start_temperature(0, first + i));

        worst = fmax(worst, fabs(mine[i] - mean));
    }
    MPI_Reduce(&worst, &error, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %d points of %d ranks in %d steps, error %.1e\n", argv[1], POINTS, size, STEPS,
               error);
    MPI_Finalize();
    return 0;
}
