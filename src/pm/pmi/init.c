/* init.c — joins the job and leaves it.
 *
 * The launcher that is next to this process sets PMI_FD or PMI_PORT, or, when it speaks PMIx,
 * PMIX_NAMESPACE. Where both are set, the latter is of a launcher around the next one.
 *
 * Joining removes these variables, PMI_ID and PMIX_RANK from the environment and makes the socket
 * close-on-exec: a program that a rank starts is not that rank. PMI_RANK and PMI_SIZE stay for
 * scripts that read them; without the others they have no meaning here. Since a rank of this
 * library never leaves PMI_FD to its children, a PMI_FD that is not an open socket is an error. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmix_impl.h"

/* NULL for a variable that is unset or empty. */
static const char *launcher_variable(const char *name)
{
    const char *text = getenv(name);

    return text && *text ? text : NULL;
}

/* The number in a variable that must be set because the variable beside is. */
static int environment_int(const char *name, const char *beside, int *value)
{
    const char *text = launcher_variable(name);

    if (!text)
        return pmi_fail(-EINVAL, "%s is set, but not %s", beside, name);
    if (pmi_parse_int(text, strlen(text), value) || *value < 0)
        return pmi_fail(-EINVAL, "%s=%.100s is not a whole number from 0 up", name, text);
    return 0;
}

void pmi_job_from_environment(struct pmi_job *job)
{
    int err;

    *job = (struct pmi_job) { .size = 1 };
    if (launcher_variable("PMI_FD")) {
        err = environment_int("PMI_RANK", "PMI_FD", &job->rank);
        if (!err)
            err = environment_int("PMI_SIZE", "PMI_FD", &job->size);
    } else {
        job->size = pmi_shown_size();
        err = environment_int("PMIX_RANK", "PMIX_NAMESPACE", &job->rank);
    }
    if (err || job->rank >= job->size)
        *job = (struct pmi_job) { .size = 1 };
}

static int open_inherited(struct pmi_job *job)
{
    int fd, err = environment_int("PMI_FD", "PMI_FD", &fd);

    if (!err)
        err = environment_int("PMI_RANK", "PMI_FD", &job->rank);
    if (!err)
        err = environment_int("PMI_SIZE", "PMI_FD", &job->size);
    if (err)
        return err;
    if (!os_is_open_socket(fd))
        return pmi_fail(-EBADF,
                        "PMI_FD=%d is not an open socket: something between the launcher and this "
                        "process closed it; unset PMI_FD if this process is not meant to be a rank",
                        fd);
    (void) snprintf(pmi_client.launcher, sizeof pmi_client.launcher, "PMI_FD=%d", fd);
    pmi_client.fd = fd;
    return fcntl(fd, F_SETFD, FD_CLOEXEC) ? pmi_fail(-errno, "PMI_FD=%d: close-on-exec", fd) : 0;
}

/* Identifies this process by PMI_ID. The reply is "cmd=initack" and then lines such as "cmd=set
 * size=2", in any order. */
static int send_id(struct pmi_job *job, int id)
{
    char *reply;
    int err = pmi_request(&reply, "initack", "cmd=initack pmiid=%d", id);

    job->size = job->rank = -1;
    for (int i = 0; i < 3 && !err; i++) {
        err = pmi_read_reply(&reply, "set");
        if (!err) {
            (void) pmi_line_int(reply, "size", &job->size);
            (void) pmi_line_int(reply, "rank", &job->rank);
        }
    }
    return err;
}

static int open_port(struct pmi_job *job)
{
    const char *address = launcher_variable("PMI_PORT");
    int id, err = environment_int("PMI_ID", "PMI_PORT", &id);

    if (err)
        return err;
    (void) snprintf(pmi_client.launcher, sizeof pmi_client.launcher, "PMI_PORT=%.255s", address);
    pmi_client.fd = pmi_connect(address);
    return pmi_client.fd < 0 ? pmi_client.fd : send_id(job, id);
}

/* Asks for the name of the job's store, unless the reply to init had it: Starling's mpiexec puts
 * the next two answers there, so that a rank waits for it once and not three times. */
static int get_name(char *reply)
{
    struct pmi_client *c = &pmi_client;
    int err = 0;

    c->has_settings = !pmi_line_copy(reply, "STARLING_settings", c->settings, sizeof c->settings);
    if (!pmi_line_copy(reply, "kvsname", c->kvs, sizeof c->kvs) && *c->kvs)
        return 0;
    err = pmi_request(&reply, "my_kvsname", "cmd=get_my_kvsname");
    if (err)
        return err;
    if (pmi_rc(reply) || pmi_line_copy(reply, "kvsname", c->kvs, sizeof c->kvs) || !*c->kvs)
        return pmi_fail(-EPROTO, "the launcher (%s) gave no usable name for the job", c->launcher);
    return 0;
}

int pmi_negotiate(struct pmi_job *job)
{
    int version = 0;
    char *reply;

    pmi_client.passed = &pmi_client.calls;
    int err = pmi_request(&reply, "response_to_init", "cmd=init pmi_version=1 pmi_subversion=1");
    pmi_client.passed = NULL;
    if (err)
        return err;
    (void) pmi_line_int(reply, "pmi_version", &version);
    if (pmi_rc(reply) || version != 1) {
        char why[64] = "it gave no reason";
        (void) pmi_line_copy(reply, "msg", why, sizeof why);
        return pmi_fail(-EPROTONOSUPPORT, "the launcher (%s) did not accept PMI version 1: %s",
                        pmi_client.launcher, why);
    }
    err = get_name(reply);
    memcpy(job->name, pmi_client.kvs, sizeof job->name);
    return err;
}

static int client_join_pmi1(struct pmi_job *job)
{
    pmi_client.reply_timeout_ms = PMI_FIRST_REPLY_MS;
    int err = launcher_variable("PMI_FD") ? open_inherited(job) : open_port(job);
    if (err)
        return err;
    if (job->rank < 0 || job->rank >= job->size)
        return pmi_fail(-EINVAL, "the launcher (%s) gave rank %d of %d", pmi_client.launcher,
                        job->rank, job->size);
    err = pmi_negotiate(job);
    pmi_client.reply_timeout_ms = -1;
    return err;
}

/* Joins by PMIx. A process that is the only one of its launcher needs no PMIx, and joins nothing
 * when its library is missing. */
static int join_pmix(struct pmi_job *job)
{
    (void) snprintf(pmi_client.launcher, sizeof pmi_client.launcher, "PMIX_NAMESPACE=%.255s",
                    launcher_variable("PMIX_NAMESPACE"));
    int err = pmix_join(job);
    pmi_client.pmix = !err;
    if (err == -ELIBACC && pmi_shown_size() == 1) {
        job->singleton = true;
        err = 0;
    }
    return err;
}

static int join_any(struct pmi_job *job)
{
    if (launcher_variable("PMI_FD") || launcher_variable("PMI_PORT"))
        return client_join_pmi1(job);
    if (launcher_variable("PMIX_NAMESPACE"))
        return join_pmix(job);
    job->singleton = true;
    return pmi_check_singleton();
}

int pmi_init(struct pmi_job *job)
{
    static const char *const identity[] = { "PMI_FD", "PMI_PORT", "PMI_ID", "PMIX_NAMESPACE",
                                            "PMIX_RANK" };

    if (pmi_client.state != PMI_NOT_JOINED)
        return pmi_fail(-EALREADY, "this process has already joined its launcher");
    *job = (struct pmi_job) { .size = 1 };
    pmi_client.calls = -1;
    int err = join_any(job);
    if (err) {
        if (pmi_client.fd >= 0 && !launcher_variable("PMI_FD"))
            (void) close(pmi_client.fd); /* opened here; an inherited socket stays open */
        if (pmi_client.calls >= 0)
            (void) close(pmi_client.calls);
        pmi_client = (struct pmi_client) { .fd = -1, .calls = -1 };
        *job = (struct pmi_job) { .size = 1 };
        return err;
    }
    if (job->singleton)
        (void) snprintf(job->name, sizeof job->name, "singleton %d", (int) getpid());
    pmi_client.state = job->singleton ? PMI_SINGLETON : PMI_JOINED;
    for (size_t i = 0; !job->singleton && i < sizeof identity / sizeof *identity; i++)
        (void) unsetenv(identity[i]);
    return 0;
}

int pmi_finalize(void)
{
    char *reply;
    int err = pmi_check_joined();

    if (!err)
        err =
            pmi_client.pmix ? pmix_finalize() : pmi_request(&reply, "finalize_ack", "cmd=finalize");
    if (!err) {
        (void) close(pmi_client.fd);
        pmi_client.fd = -1;
        pmi_client.state = PMI_FINALIZED;
    }
    return err;
}
