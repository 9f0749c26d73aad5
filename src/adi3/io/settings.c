/* settings.c — the settings of files. */
#include "adi3/io/io_impl.h"

bool io_ring_setting = true;

const struct setting io_settings[] = {
    { "FILE_SYSTEM", SETTING_STRING, &io_system_setting, "auto",
      "How files are accessed whose path has no prefix that says it: posix; nfs (nodes keep what "
      "they have read, so independent accesses of processes of several nodes take locks); lustre "
      "(stripes); auto: as the file system needs it that the file is on. chaos:posix, chaos:nfs "
      "and chaos:lustre, for tests, disturb as CHAOS_FILE_... say." },
    { "FILE_RING", SETTING_BOOL, &io_ring_setting, "yes",
      "Whether requests that bypass the cache (hints direct_read and direct_write) go to the "
      "kernel "
      "many at a time, by io_uring, where it lets them; else two threads move them." },
    { "CHAOS_FILE_SEED", SETTING_INT, &io_chaos.seed, "1",
      "The number that the random numbers of chaos:posix begin with." },
    { "CHAOS_FILE_SHORT", SETTING_INT, &io_chaos.cut, "30",
      "How many reads and writes chaos:posix cuts short, percent." },
    { "CHAOS_FILE_REFUSE", SETTING_INT, &io_chaos.again, "10",
      "How many calls chaos:posix ends with EINTR or EAGAIN, percent, at most 95." },
    { "CHAOS_FILE_DELAY", SETTING_INT, &io_chaos.late, "5",
      "How many calls chaos:posix answers up to 100 us late, percent." },
    { "CHAOS_FILE_FAIL", SETTING_INT, &io_chaos.fail, "0",
      "How many reads, writes and syncs fail in chaos:posix, percent." },
    { "CHAOS_FILE_ERROR", SETTING_STRING, &io_chaos.error, "EIO",
      "How they fail: EIO, ENOSPC or EDQUOT." },
    { "CHAOS_FILE_NO_LOCKS", SETTING_BOOL, &io_chaos.no_locks, "no",
      "Whether chaos:posix refuses locks, with ENOLCK, ENOSYS or EOPNOTSUPP." },
    { 0 }
};

int io_check_settings(void)
{
    const struct adi3_file_system *system;

    if (io_system_named(io_system_setting, &system))
        return adi3_error(MPI_ERR_OTHER,
                          "STARLING_FILE_SYSTEM=%s: it is auto, posix, ufs, nfs, lustre, or one of "
                          "these behind chaos:",
                          io_system_setting);
    if (!io_chaos_error())
        return adi3_error(MPI_ERR_OTHER,
                          "STARLING_CHAOS_FILE_ERROR=%s: it is EIO, ENOSPC or EDQUOT",
                          io_chaos.error);
    return MPI_SUCCESS;
}
