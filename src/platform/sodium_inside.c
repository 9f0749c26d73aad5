/* sodium_inside.c — instead of sodium.c in mpiexec, which has libsodium inside where it was built
 * with libsodium.a. */
#include <errno.h>
#if STARLING_SODIUM_INSIDE
#include <sodium.h>
#endif
#include "platform/sodium.h"

struct os_sodium os_sodium;

#if STARLING_SODIUM_INSIDE
_Static_assert(sizeof(crypto_secretstream_xchacha20poly1305_state) <= OS_SODIUM_STATE
                   && crypto_secretstream_xchacha20poly1305_HEADERBYTES == OS_SODIUM_HEADER
                   && crypto_secretstream_xchacha20poly1305_ABYTES == OS_SODIUM_ADDED,
               "sodium.h of platform has the sizes of libsodium's streams");

typedef void any_function(void);

/* The functions of a stream have a struct of libsodium where ours have os_sodium_stream. */
#define STREAM_FUNCTION(ours, its) ((__typeof__(os_sodium.ours)) (any_function *) (its))

int os_sodium_open(void)
{
    os_sodium = (struct os_sodium) {
        .auth = crypto_auth,
        .verify = crypto_auth_verify,
        .public_key = crypto_scalarmult_base,
        .shared_key = crypto_scalarmult,
        .hash = crypto_generichash,
        .begin_push = STREAM_FUNCTION(begin_push, crypto_secretstream_xchacha20poly1305_init_push),
        .push = STREAM_FUNCTION(push, crypto_secretstream_xchacha20poly1305_push),
        .begin_pull = STREAM_FUNCTION(begin_pull, crypto_secretstream_xchacha20poly1305_init_pull),
        .pull = STREAM_FUNCTION(pull, crypto_secretstream_xchacha20poly1305_pull)
    };
    return sodium_init() < 0 ? -ELIBACC : 0;
}
#else
int os_sodium_open(void) { return -ELIBACC; }
#endif
