/* fake_pmix.c — a libpmix.so.2 without a server: it does what a test says, in struct fake_pmix. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fake_pmix.h"

#define EXPORT __attribute__((visibility("default")))

enum { NOT_FOUND = -46 };

EXPORT struct fake_pmix fake_pmix;

EXPORT int PMIx_Init(struct pmix_abi_proc *self, struct pmix_abi_info *info, size_t n);
EXPORT int PMIx_Finalize(const struct pmix_abi_info *info, size_t n);
EXPORT int PMIx_Abort(int exit_code, const char *why, struct pmix_abi_proc *procs, size_t n);
EXPORT int PMIx_Put(uint8_t scope, const char *key, struct pmix_abi_value *value);
EXPORT int PMIx_Commit(void);
EXPORT int PMIx_Fence_nb(const struct pmix_abi_proc *procs, size_t n,
                         const struct pmix_abi_info *info, size_t infos, pmix_abi_done *done,
                         void *arg);
EXPORT int PMIx_Get(const struct pmix_abi_proc *proc, const char *key,
                    const struct pmix_abi_info *info, size_t n, struct pmix_abi_value **value);
EXPORT int PMIx_Spawn_nb(const struct pmix_abi_info *info, size_t infos,
                         const struct pmix_abi_app *apps, size_t n, pmix_abi_spawned *done,
                         void *arg);
EXPORT int PMIx_Spawn_nb(const struct pmix_abi_info *info, size_t infos,
                         const struct pmix_abi_app *apps, size_t n, pmix_abi_spawned *done,
                         void *arg)
{
    if (info || infos)
        return NOT_FOUND;
    fake_pmix.apps = apps;
    fake_pmix.app_count = n;
    fake_pmix.spawned = done;
    fake_pmix.spawned_arg = arg;
    return fake_pmix.spawn;
}

int PMIx_Register_event_handler(int *codes, size_t n, struct pmix_abi_info *info, size_t infos,
                                pmix_abi_event *event, pmix_abi_registered *done, void *arg);
EXPORT int PMIx_Publish(const struct pmix_abi_info *info, size_t n);
EXPORT int PMIx_Lookup(struct pmix_abi_pdata *data, size_t n, const struct pmix_abi_info *info,
                       size_t infos);
EXPORT int PMIx_Unpublish(char **keys, const struct pmix_abi_info *info, size_t n);
EXPORT const char *PMIx_Error_string(int status);

int PMIx_Init(struct pmix_abi_proc *self, struct pmix_abi_info *info, size_t n)
{
    sigset_t now;

    (void) info, (void) n;
    (void) pthread_sigmask(SIG_SETMASK, NULL, &now);
    fake_pmix.signals_blocked = sigismember(&now, SIGTERM) && sigismember(&now, SIGALRM);
    (void) snprintf(self->job, sizeof self->job, "fake.job.1");
    self->rank = fake_pmix.rank;
    return fake_pmix.init;
}

int PMIx_Finalize(const struct pmix_abi_info *info, size_t n)
{
    (void) info, (void) n;
    fake_pmix.finalized = true;
    return fake_pmix.finalize;
}

int PMIx_Abort(int exit_code, const char *why, struct pmix_abi_proc *procs, size_t n)
{
    (void) procs, (void) n;
    fake_pmix.exit_code = exit_code;
    (void) snprintf(fake_pmix.why, sizeof fake_pmix.why, "%s", why ? why : "");
    return fake_pmix.abort;
}

int PMIx_Put(uint8_t scope, const char *key, struct pmix_abi_value *value)
{
    if (value->type != PMIX_ABI_STRING)
        return NOT_FOUND;
    fake_pmix.scope = scope;
    (void) snprintf(fake_pmix.key, sizeof fake_pmix.key, "%s", key);
    (void) snprintf(fake_pmix.value, sizeof fake_pmix.value, "%s", value->data.string);
    return fake_pmix.put;
}

int PMIx_Commit(void)
{
    fake_pmix.committed = true;
    return fake_pmix.commit;
}

static bool is_on(const struct pmix_abi_info *info, size_t n, const char *key)
{
    return n && !strcmp(info->key, key) && info->value.type == PMIX_ABI_BOOL
           && info->value.data.flag;
}

int PMIx_Fence_nb(const struct pmix_abi_proc *procs, size_t n, const struct pmix_abi_info *info,
                  size_t infos, pmix_abi_done *done, void *arg)
{
    fake_pmix.collects = is_on(info, infos, PMIX_ABI_COLLECT) && n == 1
                         && procs->rank == PMIX_ABI_WILDCARD && !strcmp(procs->job, "fake.job.1");
    fake_pmix.fence_done = done;
    if (!fake_pmix.fence && !fake_pmix.fence_waits)
        done(fake_pmix.fence_result, arg);
    return fake_pmix.fence;
}

int PMIx_Get(const struct pmix_abi_proc *proc, const char *key, const struct pmix_abi_info *info,
             size_t n, struct pmix_abi_value **value)
{
    const struct pmix_abi_value *found = !strcmp(key, PMIX_ABI_JOB_SIZE)   ? &fake_pmix.job_size
                                         : !strcmp(key, PMIX_ABI_UNIVERSE) ? &fake_pmix.universe
                                         : !strcmp(key, PMIX_ABI_APPNUM)   ? &fake_pmix.appnum
                                                                           : &fake_pmix.text;

    fake_pmix.asked = *proc;
    fake_pmix.immediate = is_on(info, n, PMIX_ABI_IMMEDIATE);
    fake_pmix.scope =
        n == 2 && !strcmp(info[1].key, PMIX_ABI_SCOPE_KEY) && info[1].value.type == PMIX_ABI_SCOPE
            ? info[1].value.data.scope
            : 0;
    if (fake_pmix.get || !found->type)
        return fake_pmix.get ? fake_pmix.get : NOT_FOUND;
    *value = malloc(sizeof **value);
    **value = *found;
    if (found->type == PMIX_ABI_STRING)
        (*value)->data.string = strdup(found->data.string);
    return 0;
}

int PMIx_Register_event_handler(int *codes, size_t n, struct pmix_abi_info *info, size_t infos,
                                pmix_abi_event *event, pmix_abi_registered *done, void *arg)
{
    (void) info, (void) infos, (void) done, (void) arg;
    for (size_t i = 0; i < n && i < sizeof fake_pmix.codes / sizeof *fake_pmix.codes; i++)
        fake_pmix.codes[fake_pmix.events++] = codes[i];
    fake_pmix.event = event;
    return 0;
}

int PMIx_Publish(const struct pmix_abi_info *info, size_t n)
{
    if (n != 1 || info->value.type != PMIX_ABI_STRING)
        return NOT_FOUND;
    (void) snprintf(fake_pmix.service, sizeof fake_pmix.service, "%s", info->key);
    (void) snprintf(fake_pmix.port, sizeof fake_pmix.port, "%s", info->value.data.string);
    (void) snprintf(fake_pmix.publisher, sizeof fake_pmix.publisher, "fake.job.1");
    fake_pmix.publisher_rank = fake_pmix.rank;
    return fake_pmix.publish;
}

int PMIx_Lookup(struct pmix_abi_pdata *data, size_t n, const struct pmix_abi_info *info,
                size_t infos)
{
    if (n != 1 || info || infos || !*data->key || strcmp(data->key, fake_pmix.service) != 0)
        return NOT_FOUND;
    memcpy(data->proc.job, fake_pmix.publisher, sizeof data->proc.job);
    data->proc.rank = fake_pmix.publisher_rank;
    data->value =
        (struct pmix_abi_value) { .type = PMIX_ABI_STRING, .data.string = strdup(fake_pmix.port) };
    return 0;
}

int PMIx_Unpublish(char **keys, const struct pmix_abi_info *info, size_t n)
{
    if (info || n || strcmp(keys[0], fake_pmix.service) != 0 || keys[1])
        return NOT_FOUND;
    fake_pmix.service[0] = '\0';
    return fake_pmix.unpublish;
}

const char *PMIx_Error_string(int status) { return status == NOT_FOUND ? "NOT-FOUND" : "FAKE"; }
