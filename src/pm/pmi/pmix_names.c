/* pmix_names.c — names by PMIx: known to the jobs of the launcher, until the publisher's job ends.
 * Both are the defaults, for which a request needs one info; more of them would be read in another
 * layout by version 2 (pmix_abi.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmix_impl.h"

static int check_service(const char *service)
{
    if (!*service || strlen(service) >= PMIX_ABI_KEY)
        return pmi_fail(-EINVAL, "the name of a service has %zu bytes, and PMIx carries 1 to %d",
                        strlen(service), PMIX_ABI_KEY - 1);
    return 0;
}

static int names_failed(int err, const char *service, int status)
{
    return pmi_fail(err, "the launcher (%s) refused '%.100s': %s", pmi_client.launcher, service,
                    pmix.error_text(status));
}

/* Whether there is such a name: -ENOENT. The caller frees its port, a string. */
static int find_name(const char *service, struct pmix_abi_pdata *found)
{
    int err = check_service(service);

    *found = (struct pmix_abi_pdata) { .value.type = 0 };
    if (err)
        return err;
    memcpy(found->key, service, strlen(service) + 1);
    int status = pmix.lookup(found, 1, NULL, 0);
    if (status)
        return names_failed(-ENOENT, service, status);
    if (found->value.type != PMIX_ABI_STRING || !found->value.data.string)
        return pmi_fail(-ENOENT, "the launcher (%s) does not know '%.100s' as a text",
                        pmi_client.launcher, service);
    return 0;
}

/* Launchers may take the same name twice. */
int pmix_publish(const char *service, const char *port)
{
    struct pmix_abi_info info = { .value = { .type = PMIX_ABI_STRING,
                                             .data.string = (char *) (uintptr_t) port } };
    struct pmix_abi_pdata found;
    int err = find_name(service, &found);

    if (!err) {
        free(found.value.data.string);
        return pmi_fail(-EEXIST, "a process of %.200s has published it", found.proc.job);
    }
    if (err != -ENOENT)
        return err;
    memcpy(info.key, service, strlen(service));
    int status = pmix.publish(&info, 1);
    return status ? names_failed(-EEXIST, service, status) : 0;
}

/* Nor do they say whether there was such a name. The process that has published it takes it
 * back. */
int pmix_unpublish(const char *service)
{
    char *keys[] = { (char *) (uintptr_t) service, NULL };
    struct pmix_abi_pdata found;
    int err = find_name(service, &found);

    if (err)
        return err;
    free(found.value.data.string);
    if (strncmp(found.proc.job, pmix_self.job, PMIX_ABI_NAME) != 0)
        return pmi_fail(-ENOENT, "another job has published it: %.200s", found.proc.job);
    if (found.proc.rank != pmix_self.rank)
        return pmi_fail(-ENOENT, "rank %u has published it, which alone takes it back by PMIx",
                        (unsigned) found.proc.rank);
    int status = pmix.unpublish(keys, NULL, 0);
    return status ? names_failed(-ENOENT, service, status) : 0;
}

int pmix_lookup(const char *service, char *port, size_t len)
{
    struct pmix_abi_pdata found;
    int err = find_name(service, &found);

    if (err)
        return err;
    if (strlen(found.value.data.string) < len)
        memcpy(port, found.value.data.string, strlen(found.value.data.string) + 1);
    else
        err = pmi_fail(-EMSGSIZE, "the port of '%.100s' has %zu bytes, and MPI has room for %zu",
                       service, strlen(found.value.data.string), len - 1);
    free(found.value.data.string);
    return err;
}
