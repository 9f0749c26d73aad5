/* env.c — MPI_INFO_ENV: how this process was started (§8.7). Values of mpiexec's command line come
 * first; the others are what the process finds out itself. A key whose value is too long is left
 * out. */
#include <string.h>
#include <unistd.h>
#include "mpi/info/info.h"

enum {
    COMMAND_LINE = 2 * MPI_MAX_INFO_VAL
}; /* a command and arguments; longer ones fit no value */

static struct mpir_info env = { .handle = MPI_INFO_ENV };
static bool known;
static char wdir[MPI_MAX_INFO_VAL];
static int level;

void mpir_info_env_begin(int thread_level)
{
    level = thread_level;
    if (!getcwd(wdir, sizeof wdir))
        wdir[0] = '\0';
}

/* Without memory the key is missing. */
static void env_add(const char *key, const char *value)
{
    if (strlen(value) < MPI_MAX_INFO_VAL && !mpir_info_get(&env, key))
        (void) mpir_info_set(&env, key, value);
}

/* "NAME=VALUE\n..." */
static void add_lines(char *text)
{
    for (char *next; *text; text = next) {
        size_t len = strcspn(text, "\n"), name = strcspn(text, "=");
        next = text + len + (text[len] == '\n');
        text[len] = '\0';
        if (name >= len)
            continue;
        text[name] = '\0';
        env_add(text, text + name + 1);
    }
}

static void add_command(void)
{
    char text[COMMAND_LINE];
    size_t len = adi3_command_line(text, sizeof text);
    bool whole = len > 0 && len < sizeof text && !text[len - 1];
    size_t command = strnlen(text, len);

    if (command < len)
        env_add("command", text);
    if (!whole)
        return;
    for (size_t i = command + 1; i + 1 < len; i++)
        if (!text[i])
            text[i] = ' ';
    env_add("argv", command + 1 < len ? text + command + 1 : "");
}

static void env_fill(void)
{
    static const char *const levels[] = { [MPI_THREAD_SINGLE] = "MPI_THREAD_SINGLE",
                                          [MPI_THREAD_FUNNELED] = "MPI_THREAD_FUNNELED",
                                          [MPI_THREAD_SERIALIZED] = "MPI_THREAD_SERIALIZED",
                                          [MPI_THREAD_MULTIPLE] = "MPI_THREAD_MULTIPLE" };
    char text[2 * MPI_MAX_INFO_VAL];

    add_command();
    if (!adi3_program(text, sizeof text))
        add_lines(text);
    env_add("host", adi3_hostname());
    if (adi3_machine(text, sizeof text))
        env_add("arch", text);
    if (*wdir)
        env_add("wdir", wdir);
    env_add("thread_level", levels[level]);
}

struct mpir_info *mpir_info_env(void)
{
    if (!known)
        env_fill();
    known = true;
    return &env;
}

void mpir_info_env_end(void) { mpir_info_empty(&env); }
