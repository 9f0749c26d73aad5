/* inter_undefined.c — G05: some processes of both groups of an intercommunicator give
 * MPI_UNDEFINED, rank 0 included; the others get their communicator. MPICH 4.0 fails: its messages
 * are lost. */
#include "model.h"

static void without_first(MPI_Comm inter, const struct model *m)
{
    struct model others = { .size = m->size - 1, .peers = m->peers - 1 };
    int rank = model_place(m->size, m->local, model_process());
    MPI_Comm made = MPI_COMM_SELF;

    MPI_Comm_split(inter, rank ? 3 : MPI_UNDEFINED, 5, &made);
    memcpy(others.local, m->local + 1, sizeof m->local - sizeof *m->local);
    memcpy(others.remote, m->remote + 1, sizeof m->remote - sizeof *m->remote);
    if (rank && others.peers)
        model_end(&made, &others);
    else
        CHECK(made == MPI_COMM_NULL);
}

int main(int argc, char **argv)
{
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int first = 1; first < size; first++) {
        const struct model m = model_halves(size, first);
        MPI_Comm inter = model_inter(size, first, 0);

        for (int i = 0; i < 3; i++)
            without_first(inter, &m);
        model_end(&inter, &m);
    }
    MPI_Finalize();
    return 0;
}
