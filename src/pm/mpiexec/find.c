/* find.c — from a program's name to a file.
 *
 * A name with a slash is looked for in the program's own directory first and then in mpiexec's;
 * a name without one in PATH or -path, and then in these directories too, because users of other
 * mpiexecs write "mpiexec a.out". */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "spec.h"

/* Whether file can be executed. */
static int check(const char *file)
{
    struct stat s;

    if (stat(file, &s))
        return -errno;
    if (S_ISDIR(s.st_mode))
        return -EISDIR;
    return access(file, X_OK) ? -errno : 0;
}

/* The file called name in directory dir, of len letters. */
static int try_in(const char *dir, size_t len, const char *name, char *file, size_t size)
{
    int n = len ? snprintf(file, size, "%.*s/%s", (int) len, dir, name)
                : snprintf(file, size, "%s", name);

    return n < 0 || (size_t) n >= size ? -ENAMETOOLONG : check(file);
}

/* A file that exists and cannot be executed tells more than one that does not exist. */
static void prefer_error(int *err, int now)
{
    if (*err == -ENOENT && now != -ENOTDIR)
        *err = now;
}

/* A folder of PATH that may not be read has no programs for us. */
static bool exists(const char *file)
{
    struct stat s;

    return !stat(file, &s);
}

static int try_path(const char *path, const char *name, char *file, size_t size)
{
    int err = -ENOENT;

    for (size_t len; *path; path += len + (path[len] == ':')) {
        len = strcspn(path, ":");
        int now = try_in(len ? path : ".", len ? len : 1, name, file, size);
        if (!now)
            return 0;
        if (exists(file))
            prefer_error(&err, now);
    }
    return err;
}

static int try_directories(const struct pm_program *p, char *file, size_t size)
{
    const char *name = p->argv[0];
    char here[4096];
    int err = -ENOENT, now;

    if (p->wdir && name[0] != '/') {
        now = try_in(p->wdir, strlen(p->wdir), name, file, size);
        if (!now)
            return 0;
        prefer_error(&err, now);
    }
    if (!getcwd(here, sizeof here))
        return -errno;
    now = name[0] == '/' ? try_in("", 0, name, file, size)
                         : try_in(here, strlen(here), name, file, size);
    if (!now)
        return 0;
    prefer_error(&err, now);
    return err;
}

/* A relative file must still be right after the change to the program's directory. */
static int make_absolute(char *file, size_t size)
{
    char name[4096], here[4096];

    if (file[0] == '/')
        return 0;
    int n = snprintf(name, sizeof name, "%s", file);
    if (n < 0 || (size_t) n >= sizeof name || !getcwd(here, sizeof here))
        return -ENAMETOOLONG;
    n = snprintf(file, size, "%s/%s", here, name);
    return n < 0 || (size_t) n >= size ? -ENAMETOOLONG : 0;
}

int pm_find(const struct pm_program *p, char *file, size_t len)
{
    const char *name = p->argv[0], *path = p->path ? p->path : getenv("PATH");
    int err = -ENOENT;

    if (!*name)
        return err;
    if (!strchr(name, '/'))
        err = try_path(path ? path : "/usr/local/bin:/usr/bin:/bin", name, file, len);
    if (err) {
        int now = try_directories(p, file, len);
        if (now)
            prefer_error(&err, now);
        else
            err = 0;
    }
    return err ? err : make_absolute(file, len);
}

/* The file that the first line of a script names; with what is invisible made visible, such as the
 * carriage return of a foreign editor. */
static bool read_interpreter(const char *file, char *name, size_t len)
{
    char line[256];
    size_t n = 0;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, line, sizeof line - 1);

    if (fd >= 0)
        (void) close(fd);
    if (got < 3 || line[0] != '#' || line[1] != '!')
        return false;
    line[got] = '\0';
    const char *at = line + 2 + strspn(line + 2, " \t");
    for (size_t end = strcspn(at, " \t\n"); end && n + 5 < len; at++, end--)
        n +=
            (size_t) snprintf(name + n, len - n, (unsigned char) *at < ' ' ? "\\x%02x" : "%c", *at);
    return n > 0;
}

const char *pm_culprit(const char *file, int err, char *text, size_t len)
{
    char name[256];

    if (err != ENOENT && err != ENOTDIR && err != EACCES)
        return file;
    bool script = read_interpreter(file, name, sizeof name);
    if (script && check(name))
        (void) snprintf(text, len, "%s: its interpreter '%s'", file, name);
    else if (!script && err == ENOENT && exists(file))
        (void) snprintf(text, len, "%s: its dynamic loader", file);
    else
        return file;
    return text;
}
