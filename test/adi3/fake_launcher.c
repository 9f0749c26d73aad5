/* fake_launcher.c — the launcher of the fake job, in place of the PMI client. */
#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include "fake.h"

static int always = -1; /* readable: a barrier never waits */
static char secret[PMI_VALUE_MAX];
char *(*fake_lists)(void);
void (*fake_barrier)(void);

int pmi_init(struct pmi_job *job)
{
    *job = (struct pmi_job) { .rank = FAKE_RANK, .size = fake_size };
    (void) snprintf(job->name, sizeof job->name, "fake-%d", (int) getpid());
    always = eventfd(1, EFD_CLOEXEC);
    return always < 0 ? -errno : 0;
}

int pmi_attach(void) { return -ENOENT; }
void pmi_detach(void) {}

int pmi_put(const char *key, const char *value)
{
    if (!strcmp(key, "secret"))
        (void) snprintf(secret, sizeof secret, "%s", value);
    return 0;
}

void (*pmi_wait_hook)(int fd);
bool fake_gives_way;

int pmi_get(int rank, const char *key, char *value, size_t len)
{
    char card[160];

    fake_gives_way = pmi_wait_hook != NULL;
    (void) snprintf(card, sizeof card,
                    "other:x|rival:here|fake:here|host:far|node:%d|node_id:-10%x|abi:", rank,
                    (unsigned) rank);
    abi_write(card + strlen(card));
    return snprintf(value, len, "%s", strcmp(key, "secret") ? card : secret) < (int) len
               ? 0
               : -EMSGSIZE;
}

int pmi_barrier_start(void) { return 0; }

bool pmi_barrier_over(void) { return true; }

int pmi_barrier_finish(void)
{
    if (fake_barrier)
        fake_barrier();
    return 0;
}

int pmi_fd(void) { return always; }
int pmi_appnum(int *appnum) { return *appnum = 0, -ENOENT; }
int pmi_universe_size(int *universe) { return *universe = 0, -ENOENT; }
int pmi_settings(char *text, size_t len) { return text[0] = '\0', len ? 0 : -ENOENT; }
int pmi_program(char *text, size_t len) { return text[0] = '\0', len ? 0 : -ENOENT; }

int pmi_all(const char *prefix, char **text)
{
    (void) prefix;
    *text = fake_lists ? fake_lists() : NULL;
    return *text ? 0 : -ENOENT;
}

int pmi_memory(uint64_t node, int *fd) { return (void) node, (void) fd, -ENOENT; }
int pmi_calls_take(void) { return -ENOENT; }
int pmi_tell_next(void) { return 0; }
bool pmi_was_told(void) { return false; }
void pmi_abort(int exit_code, const char *why) { (void) why, _exit(exit_code); }
int pmi_finalize(void) { return 0; }
void pmi_job_from_environment(struct pmi_job *job) { *job = (struct pmi_job) { .size = 1 }; }
const char *pmi_error_text(void) { return "the fake launcher fails"; }

/* It starts no processes. */
int pmi_preput(const char *key, char *value, size_t len)
{
    return (void) key, (void) value, (void) len, -ENOENT;
}

int pmi_spawn_start(const struct pmi_spawn_request *r, struct pmi_spawn **spawn)
{
    return (void) r, *spawn = NULL, -ECANCELED;
}

bool pmi_spawn_over(struct pmi_spawn *spawn) { return (void) spawn, true; }
int pmi_spawn_lost(struct pmi_spawn *spawn) { return (void) spawn, -ECANCELED; }

int pmi_spawn_finish(struct pmi_spawn *spawn, int *codes)
{
    return (void) spawn, (void) codes, -ECANCELED;
}

void pmi_spawn_abandon(struct pmi_spawn *spawn) { (void) spawn; }

/* Nor does it know names. */
void pmi_name_server(const char *where) { (void) where; }
void pmi_name_server_leave(void) {}

int pmi_publish(const char *service, const char *port)
{
    return (void) service, (void) port, -EEXIST;
}

int pmi_unpublish(const char *service) { return (void) service, -ENOENT; }

int pmi_lookup(const char *service, char *port, size_t len)
{
    return (void) service, (void) port, (void) len, -ENOENT;
}
