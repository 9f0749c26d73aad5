/* sodium.h — libsodium, loaded when it is first needed: libmpi itself needs libc alone. mpiexec,
 * which is static, has it inside. */
#ifndef SODIUM_H
#define SODIUM_H

#include <stddef.h>

enum { OS_SODIUM_KEY = 32, OS_SODIUM_MAC = 32 }; /* bytes; a key also of X25519 */
enum { OS_SODIUM_HEADER = 24, OS_SODIUM_ADDED = 17, OS_SODIUM_STATE = 52 }; /* of a stream */

struct os_sodium_stream { /* crypto_secretstream_xchacha20poly1305_state */
    unsigned char state[OS_SODIUM_STATE];
};

struct os_sodium { /* results of int: 0, or -1 */
    int (*auth)(unsigned char *mac, const unsigned char *in, unsigned long long len,
                const unsigned char *key);
    int (*verify)(const unsigned char *mac, const unsigned char *in, unsigned long long len,
                  const unsigned char *key);
    int (*public_key)(unsigned char *public_key, const unsigned char *private_key);
    int (*shared_key)(unsigned char *shared, const unsigned char *private_key,
                      const unsigned char *public_key); /* -1: that is no proper key */
    int (*hash)(unsigned char *hash, size_t hash_len, const unsigned char *in,
                unsigned long long len, const unsigned char *key, size_t key_len);
    /* The two ends of a stream of records, each OS_SODIUM_ADDED bytes longer than what is in it.
     * Lengths of results may be NULL, as the tag and what only the MAC has. */
    int (*begin_push)(struct os_sodium_stream *s, unsigned char *header, const unsigned char *key);
    int (*push)(struct os_sodium_stream *s, unsigned char *out, unsigned long long *out_len,
                const unsigned char *in, unsigned long long len, const unsigned char *beside,
                unsigned long long beside_len, unsigned char tag);
    int (*begin_pull)(struct os_sodium_stream *s, const unsigned char *header,
                      const unsigned char *key);
    int (*pull)(struct os_sodium_stream *s, unsigned char *out, unsigned long long *out_len,
                unsigned char *tag, const unsigned char *in, unsigned long long len,
                const unsigned char *beside, unsigned long long beside_len);
};

extern struct os_sodium os_sodium; /* once os_sodium_open() has succeeded */

/* Loads the library, which then stays loaded: 0, or -ELIBACC when there is none that can be used.
 * Its name is STARLING_SODIUM_SONAME. */
int os_sodium_open(void);

#ifndef STARLING_SODIUM_SONAME
#define STARLING_SODIUM_SONAME "libsodium.so.23"
#endif

#endif /* SODIUM_H */
