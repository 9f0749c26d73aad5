/* find.c — finds the file of a program.
 *
 * A name with a slash is searched in the directory of -wdir, then in that of mpiexec. A name
 * without a slash is searched in the directories of path, and then in these two
 * directories, because users of other launchers write "mpiexec a.out". With path_first that is so
 * for a name with a slash, too. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "pm/node/pm_node_impl.h"

/* 0 when file can be executed, otherwise why not: -errno. */
static int file_check_executable(const char *file)
{
    struct stat s;

    if (stat(file, &s))
        return -errno;
    if (S_ISDIR(s.st_mode))
        return -EISDIR;
    return access(file, X_OK) ? -errno : 0;
}

/* Checks the file called name in directory dir, of len characters; its path goes to file. */
static int try_in(const char *dir, size_t len, const char *name, char *file, size_t size)
{
    int n = len ? snprintf(file, size, "%.*s/%s", (int) len, dir, name)
                : snprintf(file, size, "%s", name);

    return n < 0 || (size_t) n >= size ? -ENAMETOOLONG : file_check_executable(file);
}

/* Replaces *err by the error now, which says more: that a file exists and cannot be executed. */
static void prefer_error(int *err, int now)
{
    if (*err == -ENOENT && now != -ENOTDIR)
        *err = now;
}

/* False also for a file in a directory of PATH that this user may not search. */
static bool is_existing_file(const char *file)
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
        if (is_existing_file(file))
            prefer_error(&err, now);
    }
    return err;
}

static int try_directories(const struct pm_executable *x, char *file, size_t size)
{
    const char *name = x->argv[0];
    char here[4096];
    int err = -ENOENT, now;

    if (x->wdir && name[0] != '/') {
        now = try_in(x->wdir, strlen(x->wdir), name, file, size);
        if (!now)
            return 0;
        prefer_error(&err, now);
    }
    if (name[0] == '/')
        now = try_in("", 0, name, file, size);
    else
        now = getcwd(here, sizeof here) ? try_in(here, strlen(here), name, file, size) : -errno;
    if (!now)
        return 0;
    prefer_error(&err, now);
    return err;
}

/* Makes a relative path absolute, because the program starts in another directory. */
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

int pm_find(const struct pm_executable *x, char *file, size_t len)
{
    const char *name = x->argv[0], *path = x->path ? x->path : "/usr/local/bin:/usr/bin:/bin";
    int err = -ENOENT;

    if (!*name)
        return err;
    if (!strchr(name, '/') || (x->path_first && *name != '/'))
        err = try_path(path, name, file, len);
    if (err) {
        int now = try_directories(x, file, len);
        if (now)
            prefer_error(&err, now);
        else
            err = 0;
    }
    if (!err)
        err = make_absolute(file, len);
    return err;
}

/* The interpreter that the first line of a script names. Control characters, such as the
 * carriage return that some editors leave, are shown as \x0d. */
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

static void culprit_append(char *text, size_t len, const char *start, const char *name,
                           const char *end)
{
    size_t n = strlen(text);

    (void) snprintf(text + n, len - n, "%s%s%s", start, name, end);
}

/* The processors that a program is for: " (for AArch64)". */
static const char *machine_of(const char *file)
{
    static const struct {
        uint16_t number;
        const char *name;
    } machines[] = {
        { EM_X86_64, " (for x86-64)" },    { EM_AARCH64, " (for AArch64)" },
        { EM_386, " (for i386)" },         { EM_ARM, " (for ARM)" },
        { EM_PPC64, " (for PowerPC 64)" }, { EM_RISCV, " (for RISC-V)" },
    };
    Elf64_Ehdr h;
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, &h, sizeof h);

    if (fd >= 0)
        (void) close(fd);
    for (size_t i = 0; got == sizeof h && i < sizeof machines / sizeof *machines; i++)
        if (h.e_machine == machines[i].number)
            return machines[i].name;
    return "";
}

/* The interpreter of a script may be a script, too. text gets all files on the way to the one that
 * is missing. */
const char *pm_culprit(const char *file, int err, char *text, size_t len)
{
    enum { SCRIPTS = 6 }; /* more than the kernel follows */
    char interpreter[256], name[256];
    const char *at = file;

    *text = '\0';
    if (err == ENOEXEC)
        culprit_append(text, len, file, machine_of(file), "");
    if (err != ENOENT && err != ENOTDIR && err != EACCES)
        return *text ? text : file;
    culprit_append(text, len, file, "", "");
    for (int i = 0; i < SCRIPTS && read_interpreter(at, interpreter, sizeof interpreter); i++) {
        culprit_append(text, len, ": its interpreter '", interpreter, "'");
        if (file_check_executable(interpreter))
            return text;
        at = memcpy(name, interpreter, sizeof name);
    }
    if (err != ENOENT || !is_existing_file(at))
        return file;
    culprit_append(text, len, ": its dynamic loader", "", "");
    return text;
}
