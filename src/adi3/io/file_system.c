/* file_system.c — the table of file systems, by the numbers that the kernel gives them. */
#include <string.h>
#include "adi3/io/io_impl.h"

/* Those that statfs() gives. */
#define NFS_MAGIC       0x6969
#define LUSTRE_MAGIC    0x0bd00bd0
#define EXT_MAGIC       0xef53
#define XFS_MAGIC       0x58465342
#define BTRFS_MAGIC     0x9123683e
#define TMPFS_MAGIC     0x01021994
#define RAMFS_MAGIC     0x858458f6
#define OVERLAYFS_MAGIC 0x794c7630

/* LARGE: the longest page that a node may have. */
enum { PAGE = 4096, LARGE = 64 << 10 };

static const struct io_calls plain = { os_file_read,   os_file_write,    os_file_size,
                                       os_file_resize, os_file_allocate, os_file_sync,
                                       os_file_lock,   os_file_unlock };

/* The first is for all others. "ufs" is its name in ROMIO. */
static const struct adi3_file_system table[] = {
    { .name = "posix", .block = PAGE, .calls = &plain },
    { .name = "ufs", .block = PAGE, .calls = &plain },
    { .name = "nfs", .magic = NFS_MAGIC, .block = LARGE, .lags = true, .calls = &plain },
    { .name = "lustre",
      .magic = LUSTRE_MAGIC,
      .calls = &plain,
      .create = io_lustre_create,
      .stripes = io_lustre_stripes },
    { .name = "chaos:posix", .block = PAGE, .disturbs = true, .calls = &io_chaos_calls },
    { .name = "chaos:ufs", .block = PAGE, .disturbs = true, .calls = &io_chaos_calls },
    { .name = "chaos:nfs",
      .block = LARGE,
      .lags = true,
      .disturbs = true,
      .calls = &io_chaos_nfs_calls },
    { .name = "chaos:lustre",
      .disturbs = true,
      .calls = &io_chaos_calls,
      .stripes = io_chaos_stripes },
};
enum { SYSTEMS = sizeof table / sizeof *table };

const char *io_system_setting = "auto";

int io_system_named(const char *name, const struct adi3_file_system **system)
{
    *system = NULL;
    for (int i = 0; i < SYSTEMS; i++)
        if (!strcmp(name, table[i].name))
            *system = &table[i];
    return *system || !strcmp(name, "auto") ? 0 : -1;
}

const char *io_cut_prefix(const char *path, const struct adi3_file_system **forced)
{
    for (int i = 0; i < SYSTEMS; i++) {
        size_t len = strlen(table[i].name);
        if (!strncmp(path, table[i].name, len) && path[len] == ':') {
            *forced = &table[i];
            return path + len + 1;
        }
    }
    (void) io_system_named(io_system_setting, forced);
    return path;
}

const struct adi3_file_system *io_system_of(uint64_t magic)
{
    for (int i = 0; i < SYSTEMS; i++)
        if (table[i].magic && table[i].magic == magic)
            return &table[i];
    return &table[0];
}

static const uint64_t of_one_host[] = { EXT_MAGIC,   XFS_MAGIC,   BTRFS_MAGIC,
                                        TMPFS_MAGIC, RAMFS_MAGIC, OVERLAYFS_MAGIC };

uint64_t adi3_file_host(const struct adi3_file *f)
{
    uint64_t magic = os_file_system(f->fd);

    for (size_t i = 0; i < sizeof of_one_host / sizeof *of_one_host; i++)
        if (magic == of_one_host[i])
            return os_boot_number();
    return 0;
}
