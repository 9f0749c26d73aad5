/* pmix_data.c — what PMIx servers know: numbers of the job, and what its processes have put. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmix_impl.h"

struct pmix_abi_proc pmix_self;

struct pmix_abi_info pmix_option(const char *key)
{
    struct pmix_abi_info info = { .value = { .type = PMIX_ABI_BOOL, .data.flag = true } };

    memcpy(info.key, key, strlen(key));
    return info;
}

/* Asks for a value of a process or of the job, which the caller releases. The server does not wait
 * until there is one. */
static int abi_value_get(uint32_t rank, const char *key, struct pmix_abi_value **value)
{
    const struct pmix_abi_info immediate = pmix_option(PMIX_ABI_IMMEDIATE);
    struct pmix_abi_proc p = pmix_self;
    char whose[24] = "the job";

    p.rank = rank;
    int status = pmix.get(&p, key, &immediate, 1, value);
    if (!status)
        return 0;
    if (rank != PMIX_ABI_WILDCARD)
        (void) snprintf(whose, sizeof whose, "rank %u", (unsigned) rank);
    return pmi_fail(-ENOENT, "the launcher (%s) does not know '%.100s' of %s: %s",
                    pmi_client.launcher, key, whose, pmix.error_text(status));
}

static void abi_value_release(struct pmix_abi_value *v)
{
    if (v->type == PMIX_ABI_STRING)
        free(v->data.string);
    free(v);
}

/* Servers differ in the types of the same number. Negative ones become large. */
static uint64_t number_in(const struct pmix_abi_value *v)
{
    switch (v->type) {
    case PMIX_ABI_UINT16:
        return v->data.uint16;
    case PMIX_ABI_INT:
    case PMIX_ABI_UINT:
    case PMIX_ABI_INT32:
    case PMIX_ABI_UINT32:
    case PMIX_ABI_PROC_RANK:
        return v->data.uint32;
    case PMIX_ABI_INT64:
    case PMIX_ABI_UINT64:
        return v->data.uint64;
    case PMIX_ABI_SIZE:
        return v->data.size;
    }
    return UINT64_MAX;
}

static int get_number(uint32_t rank, const char *key, int *number)
{
    struct pmix_abi_value *v;
    int err = abi_value_get(rank, key, &v);

    if (err)
        return err;
    uint64_t n = number_in(v);
    abi_value_release(v);
    if (n > INT32_MAX)
        return pmi_fail(-ENOENT, "the launcher (%s) gave no number for '%s'", pmi_client.launcher,
                        key);
    *number = (int) n;
    return 0;
}

int pmix_job_size(int *size) { return get_number(PMIX_ABI_WILDCARD, PMIX_ABI_JOB_SIZE, size); }

int pmix_universe_size(int *universe)
{
    return get_number(PMIX_ABI_WILDCARD, PMIX_ABI_UNIVERSE, universe);
}

int pmix_appnum(int *appnum) { return get_number(pmix_self.rank, PMIX_ABI_APPNUM, appnum); }

static int scoped_value_put(uint8_t scope, const char *key, const char *value)
{
    struct pmix_abi_value v = { .type = PMIX_ABI_STRING, .data.string = (char *) value };
    int status = pmix.put(scope, key, &v);

    return status ? pmi_fail(-EPROTO, "the launcher (%s) refused the value of '%s': %s",
                             pmi_client.launcher, key, pmix.error_text(status))
                  : 0;
}

int pmix_put(const char *key, const char *value)
{
    return scoped_value_put(PMIX_ABI_GLOBAL, key, value);
}

int pmix_get(int rank, const char *key, char *value, size_t len)
{
    struct pmix_abi_value *v;
    int err = abi_value_get((uint32_t) rank, key, &v);

    if (err)
        return err;
    const char *text = v->type == PMIX_ABI_STRING ? v->data.string : NULL;
    if (!text)
        err = pmi_fail(-EPROTO, "the value of '%s' is of type %d, not a text", key, v->type);
    else if (strlen(text) >= len)
        err = pmi_fail(-EMSGSIZE, "the value of '%s' needs more than %zu bytes", key, len);
    else
        memcpy(value, text, strlen(text) + 1);
    abi_value_release(v);
    return err;
}

/* What a rank has put stays when its program ends, and the server has it before pmix.finalize()
 * returns. Without a fence only a value for other nodes can be got, and only by its scope. */
static const char told[] = "starling-one-node";

int pmix_tell_next(void)
{
    int err = scoped_value_put(PMIX_ABI_REMOTE, told, "1");
    int status = err ? 0 : pmix.commit();

    return status ? pmi_fail(-EPROTO, "the launcher (%s) refused a value: %s", pmi_client.launcher,
                             pmix.error_text(status))
                  : err;
}

bool pmix_was_told(void)
{
    const struct pmix_abi_info options[] = { pmix_option(PMIX_ABI_IMMEDIATE),
                                             { .key = PMIX_ABI_SCOPE_KEY,
                                               .value = { .type = PMIX_ABI_SCOPE,
                                                          .data.scope = PMIX_ABI_REMOTE } } };
    struct pmix_abi_value *v;

    if (pmix.get(&pmix_self, told, options, sizeof options / sizeof *options, &v))
        return false;
    abi_value_release(v);
    return true;
}
