/* setup.c — what making segments and flag blocks has in common: the setting, which devices allow
 * them, and the broadcast of the first process. */
#include "adi3/shmcoll/shmcoll_impl.h"

bool shmcoll_wanted;

const struct setting shmcoll_settings[] = {
    { "SHARED_COLLECTIVES", SETTING_BOOL, &shmcoll_wanted, "yes",
      "Whether blocking collective operations of the processes of one node go through shared "
      "memory, where that is faster; no: through messages. The setting of rank 0 of a "
      "communicator counts; that of MPI_COMM_WORLD must be the same in all processes." },
    { 0 }
};

int shmcoll_broadcast(const struct shmcoll_members *m, int tag, void *what, size_t len)
{
    struct adi3_data d = { what, len, adi3_type_builtin(MPI_BYTE) };

    if (m->me)
        return adi3_recv(&d, shmcoll_rank_of(m, 0), tag, m->comm, ADI3_COLL, MPI_STATUS_IGNORE);
    int err = MPI_SUCCESS;
    for (int i = 1; i < m->size; i++) {
        int sent = adi3_send(&d, shmcoll_rank_of(m, i), tag, m->comm, ADI3_COLL);
        if (!err)
            err = sent;
    }
    return err;
}
