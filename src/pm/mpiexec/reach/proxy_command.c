/* proxy_command.c — how other hosts are reached: by the launcher that the user chose, or by that of
 * the resource manager of the allocation, or by ssh.
 *
 * The shell on a host may be any: the command is a path and plain words. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/channel/pm_proxy.h"
#include "pm/channel/pm_remote.h"
#include "pm/mpiexec/reach/reach_impl.h"

/* ---- which one ------------------------------------------------------------------------------- */

/* What an option or one of two variables says; or NULL. */
static const char *option_or_variable(const char *option, const char *variable, const char *other)
{
    const char *value = option ? option : getenv(variable);

    if (!value || !*value)
        value = getenv(other);
    return value && *value ? value : NULL;
}

static bool is_in_path(const char *program, size_t len)
{
    char file[OS_PATH];

    for (const char *at = getenv("PATH"); at && *at; at += *at == ':') {
        int width = (int) strcspn(at, ":");
        int n = snprintf(file, sizeof file, "%.*s/%.*s", width, at, (int) len, program);
        if (n > 0 && (size_t) n < sizeof file && !access(file, X_OK))
            return true;
        at += width;
    }
    return false;
}

/* The launcher of the resource manager that named the hosts, where its program is installed. */
static const struct pm_launcher *of_manager(const char *manager)
{
    for (const struct pm_launcher *l = pm_launchers; manager && l->names; l++)
        if (l->manager && !strcmp(l->manager, manager)
            && is_in_path(l->names, strcspn(l->names, " ")))
            return l;
    return pm_launchers; /* ssh */
}

static const struct pm_launcher *launcher_choose(const struct pm_spec *s, const char **name)
{
    *name = option_or_variable(s->launcher, "HYDRA_LAUNCHER", "HYDRA_BOOTSTRAP");
    return *name ? pm_launcher_find(*name) : of_manager(s->hosts.manager);
}

/* ---- the proxy ------------------------------------------------------------------------------- */

/* The file of mpiexec itself; false: it is not known. */
static bool find_own(char path[PM_PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", path, PM_PATH_MAX - 1);

    path[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* Where the proxy is on other hosts: below -prefix, or where mpiexec is here. */
static bool find_proxy(const struct pm_spec *s, char path[PM_PATH_MAX])
{
    int n = s->tree                      ? snprintf(path, PM_PATH_MAX, "%s/bin/mpiexec", s->tree)
            : s->self && *s->self == '/' ? snprintf(path, PM_PATH_MAX, "%s", s->self)
                                         : 0;

    return n ? n < PM_PATH_MAX : find_own(path);
}

/* Puts a path that is not one plain word between quotes, in which sh, csh and fish read all but a
 * few letters alike. False: it has one of those. */
static bool path_quote(const char *path, char quoted[PM_PATH_MAX + 4])
{
    bool plain = true;

    for (const char *c = path; *c; c++)
        plain = plain && (isalnum((unsigned char) *c) || strchr("/._-+@%:,", *c));
    (void) snprintf(quoted, PM_PATH_MAX + 4, plain ? "%s" : "'%s'", path);
    return !path[strcspn(path, "'!\\\n")];
}

/* ---- the command ----------------------------------------------------------------------------- */

static int launcher_refuse(char *why, size_t len, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static int launcher_refuse(char *why, size_t len, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void) vsnprintf(why, len, fmt, args);
    va_end(args);
    return -EINVAL;
}

static void launcher_add_word(struct pm_proxy_command *c, const char *word)
{
    if (c->words == PM_WORDS_MAX)
        c->err = E2BIG;
    else if (!(c->word[c->words++] = strdup(word)))
        c->err = ENOMEM;
}

/* Adds the words of a variable, which are separated by blanks. */
static void add_words(struct pm_proxy_command *c, const char *variable)
{
    const char *value = getenv(variable);
    char *text = value ? strdup(value) : NULL, *rest = text;

    for (char *word; rest && (word = strtok_r(rest, " \t", &rest));)
        launcher_add_word(c, word);
    free(text);
}

static void add_launcher(struct pm_proxy_command *c, const struct pm_spec *s,
                         const struct pm_launcher *l, const char *user)
{
    const char *program =
        option_or_variable(s->launcher_exec, "HYDRA_LAUNCHER_EXEC", "HYDRA_BOOTSTRAP_EXEC");
    bool longer = s->node_timeout_s > PM_NODE_TIMEOUT_S;
    char timeout[64];

    launcher_add_word(c, program ? program : c->launcher);
    (void) snprintf(timeout, sizeof timeout, PM_TIMEOUT_OPTION "=%d",
                    longer ? s->node_timeout_s : PM_NODE_TIMEOUT_S);
    for (const char *const *o = l->options; *o; o++)
        launcher_add_word(c, strcmp(*o, PM_TIMEOUT_OPTION) != 0 ? *o : timeout);
    if (c->step && pm_srun_is_recent(c->word[0])) {
        launcher_add_word(
            c, "--external-launcher"); /* takes no resources from other steps, and binds nothing */
    } else if (c->step) {
        launcher_add_word(c, "--overlap");
        launcher_add_word(c, "--cpu-bind=none");
    }
    add_words(c, "HYDRA_LAUNCHER_EXTRA_ARGS");
    add_words(c, "HYDRA_LAUNCH_EXTRA_ARGS");
    if (user) {
        launcher_add_word(c, l->user);
        launcher_add_word(c, user);
    }
}

int pm_proxy_command_make(const struct pm_spec *s, const struct pm_host_entry *e,
                          struct pm_proxy_command *c, char *why, size_t len)
{
    const char *name;
    const struct pm_launcher *l = launcher_choose(s, &name);
    char *path = c->path, quoted[PM_PATH_MAX + 4];

    *c = (struct pm_proxy_command) { .words = 0 };
    if (!l)
        return launcher_refuse(why, len, "the launcher is '%s', and not " PM_LAUNCHERS, name);
    bool here = l->reaches == PM_THIS_HOST || e->here;
    c->step = l->reaches == PM_ALL_HOSTS && !here;
    if (!(here ? find_own(path) : find_proxy(s, path)))
        return launcher_refuse(why, len, "the file of mpiexec is not known");
    if (here) {
        launcher_add_word(c, path);
    } else {
        c->launcher = strndup(l->names, strcspn(l->names, " "));
        if (e->user && !l->user)
            return launcher_refuse(why, len, "%s takes no name of a user, such as '%s'",
                                   c->launcher, e->user);
        if (c->step && s->hosts.manager && !e->allocated)
            return launcher_refuse(
                why, len,
                "it is not in the allocation of %s, and %s reaches no other hosts; "
                "-launcher ssh may reach it",
                s->hosts.manager, c->launcher);
        if (c->step && !pm_can_step())
            return launcher_refuse(
                why, len,
                "this mpiexec was built without libsodium, which srun needs; -launcher "
                "can name another");
        if (!path_quote(path, quoted) && !c->step)
            return launcher_refuse(why, len,
                                   "its shell may not understand the path of its proxy, %.200s; "
                                   "-prefix can name another",
                                   path);
        add_launcher(c, s, l, e->user);
        if (!c->step)
            launcher_add_word(c, e->name);
        launcher_add_word(c, c->step ? path : quoted); /* no shell reads it */
    }
    launcher_add_word(c, c->step ? PM_PROXY_CALLS_ARGUMENT : PM_PROXY_ARGUMENT);
    return c->err ? launcher_refuse(why, len, "the command that reaches it: %s", strerror(c->err))
                  : 0;
}

void pm_proxy_command_free(struct pm_proxy_command *c)
{
    while (c->words)
        free(c->word[--c->words]);
    free(c->launcher);
}
