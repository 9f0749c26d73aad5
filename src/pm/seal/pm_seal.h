/* pm_seal.h — bytes over a network that no other program can read or change: XChaCha20 and
 * Poly1305, by the secret streams of libsodium.
 *
 * Both ends know a secret. Each sends a challenge, random bytes, and the keys of the connection are
 * made of the secret and both: what was sent over another connection is worth nothing here. A
 * record is its length, 4 bytes little endian, and then that many bytes. */
#ifndef PM_SEAL_H
#define PM_SEAL_H

#include <stdbool.h>
#include "pm/seal/pm_bytes.h"

enum { PM_SECRET = 32, PM_CHALLENGE = 32, PM_RECORD_MAX = 64 << 10 };

struct pm_seal;

bool pm_seal_is_possible(void);
void pm_seal_random(void *bytes, size_t len);

/* at_proxy: which end this is. NULL: no memory. */
struct pm_seal *pm_seal_create(const unsigned char secret[PM_SECRET],
                               const unsigned char of_owner[PM_CHALLENGE],
                               const unsigned char of_proxy[PM_CHALLENGE], bool at_proxy);
void pm_seal_free(struct pm_seal *s);

/* Adds records of all these bytes to out: -ENOMEM. */
int pm_seal_put(struct pm_seal *s, const char *bytes, size_t len, struct pm_bytes *out);
/* Moves the bytes of all records that are whole from in to out: -ENOMEM, or -EBADMSG when they have
 * been changed, or the other end does not know the secret. */
int pm_seal_get(struct pm_seal *s, struct pm_bytes *in, struct pm_bytes *out);

#endif /* PM_SEAL_H */
