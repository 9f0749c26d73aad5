/* outdir.c — the files of -output DIR: DIR/HOST/rank.N.out and rank.N.err.
 *
 * A folder for each host keeps folders small, and the number of a rank finds its files whatever its
 * host is. Files of an earlier job are neither overwritten nor left among those of this one. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "pm/mpiexec/output/output_impl.h"

/* A directory that is there is no error. */
static int directory_make(const char *path)
{
    struct stat s;

    if (!mkdir(path, 0777))
        return 0;
    if (errno != EEXIST)
        return -errno;
    if (stat(path, &s))
        return -errno;
    return S_ISDIR(s.st_mode) ? 0 : -ENOTDIR;
}

/* Makes a directory and those above it. */
static int make_all(const char *path)
{
    char prefix[PM_OUTPUT_FILE_MAX];
    size_t len = strlen(path);
    int err = len < sizeof prefix ? 0 : -ENAMETOOLONG;

    for (size_t n = 1; n <= len && !err; n++) {
        if (path[n] && path[n] != '/')
            continue;
        memcpy(prefix, path, n);
        prefix[n] = '\0';
        err = directory_make(prefix);
    }
    return err;
}

static int check_empty(const char *path)
{
    DIR *d = opendir(path);
    const struct dirent *e;
    int err = 0;

    if (!d)
        return -errno;
    while (!err && (e = readdir(d)))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            err = -ENOTEMPTY;
    (void) closedir(d);
    return err;
}

int pm_output_directory(const struct pm_spec *s)
{
    if (!s->outdir)
        return 0;
    int err = make_all(s->outdir);
    if (!err)
        err = check_empty(s->outdir);
    return err;
}

/* Digits of the largest rank: "ls" then lists the files in the order of the ranks. */
static int rank_digits(int size)
{
    int n = 1;

    for (int last = size - 1; last > 9; last /= 10)
        n++;
    return n;
}

int pm_output_file(const struct pm_spec *s, const struct pm_place *from,
                   char file[PM_OUTPUT_FILE_MAX])
{
    char host[256], job[24] = "";

    (void) snprintf(host, sizeof host, "%s", from->host);
    if (*host == '.')
        *host = '_';
    for (char *c = host; *c; c++)
        if (*c == '/')
            *c = '_';
    int n = snprintf(file, PM_OUTPUT_FILE_MAX, "%s/%s", s->outdir, host);
    int err = n < PM_OUTPUT_FILE_MAX ? directory_make(file) : -ENAMETOOLONG;
    if (err)
        return err;
    if (from->job)
        (void) snprintf(job, sizeof job, "job.%d.", from->job);
    int more =
        snprintf(file + n, (size_t) (PM_OUTPUT_FILE_MAX - n), "/%srank.%0*d.%s", job,
                 rank_digits(from->size), from->rank, from->stream == PM_OUT ? "out" : "err");
    return n + more < PM_OUTPUT_FILE_MAX ? 0 : -ENAMETOOLONG;
}
