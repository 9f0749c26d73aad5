/* move.c — moves data while other threads may call. */
#include "mpi/io/io.h"

void mpir_io_move(struct adi3_access *a)
{
    bool unlocked = adi3_unlock_for(SIZE_MAX);

    adi3_file_move(a);
    if (unlocked)
        adi3_lock();
}
