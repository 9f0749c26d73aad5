/* no_seal.c — instead of seal.c where libsodium is missing: no connections are made. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm/channel/pm_seal.h"

struct pm_seal {
    bool none;
};

bool pm_seal_is_built_in(void) { return false; }

void pm_seal_random(void *bytes, size_t len) { memset(bytes, 0, len); }

struct pm_seal *pm_seal_create(const unsigned char secret[PM_SECRET],
                               const unsigned char of_owner[PM_CHALLENGE],
                               const unsigned char of_proxy[PM_CHALLENGE], bool at_proxy)
{
    (void) secret, (void) of_owner, (void) of_proxy, (void) at_proxy;
    return NULL;
}

void pm_seal_free(struct pm_seal *s) { free(s); }

int pm_seal_put(struct pm_seal *s, const char *bytes, size_t len, struct pm_bytes *out)
{
    (void) s, (void) bytes, (void) len, (void) out;
    return -EBADMSG;
}

int pm_seal_get(struct pm_seal *s, struct pm_bytes *in, struct pm_bytes *out)
{
    (void) s, (void) in, (void) out;
    return -EBADMSG;
}
