/* split_part.c — G07: with mpi_hw_resource_type each communicator has the processes of a node that
 * are bound to the same part of it; processes that are in no such part are together, too. Only for
 * Starling. */
#include "bound.h"

static int rank, size;
static uint16_t *cpus; /* of all */
static char (*names)[MPI_MAX_PROCESSOR_NAME];

/* The part that has all these threads, when each part has that many; -1: there is none. */
static int part_of(uint16_t set, int each)
{
    for (int i = 0; i < 16 / each; i++)
        if (!(set & ~(((1u << each) - 1) << i * each)))
            return i;
    return -1;
}

/* each: threads of a part; 16 when the machine has no such parts, or the key is not given. */
static void check(const char *type, int each)
{
    int n, *members = mpitest_memory((size_t) size * sizeof *members), expected = 0;
    MPI_Info info;
    MPI_Comm made;

    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_hw_resource_type", type);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, info, &made);
    MPI_Info_free(&info);
    MPI_Comm_size(made, &n);
    MPI_Allgather(&rank, 1, MPI_INT, members, 1, MPI_INT, made);
    for (int r = size - 1; r >= 0; r--) {
        if (strcmp(names[r], names[rank]) || part_of(cpus[r], each) != part_of(cpus[rank], each))
            continue;
        CHECK(expected < n);
        CHECK_INT(members[expected++], r);
    }
    CHECK_INT(n, expected);
    MPI_Comm_free(&made);
    free(members);
}

static void all_types(void)
{
    static const struct {
        const char *type;
        int each;
    } types[] = { { "package", 8 },  { "socket", 8 }, { "numanode", 8 },     { "numa", 8 },
                  { "l3cache", 4 },  { "core", 2 },   { "pu", 1 },           { "hwthread", 1 },
                  { "L3Cache", 4 },  { "PU", 1 },     { "NUMANode", 8 },     { "l2cache", 16 },
                  { "machine", 16 }, { "", 16 },      { "no such part", 16 } };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        check(types[i].type, BOUND_KNOWN ? types[i].each : 16);
}

int main(int argc, char **argv)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int len;

    bound_begin();
    if (getenv("PMI_RANK") && atoi(getenv("PMI_RANK")) == 1)
        bound_cpus = 0x0ff0; /* in no package, but in the machine */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(name, &len);
    cpus = mpitest_memory((size_t) size * sizeof *cpus);
    names = mpitest_memory((size_t) size * sizeof *names);
    MPI_Allgather(&bound_cpus, 1, MPI_UINT16_T, cpus, 1, MPI_UINT16_T, MPI_COMM_WORLD);
    MPI_Allgather(name, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, names, MPI_MAX_PROCESSOR_NAME, MPI_CHAR,
                  MPI_COMM_WORLD);
    all_types();
    free(names);
    free(cpus);
    MPI_Finalize();
    return 0;
}
