/* sodium.h — libsodium, loaded when it is first needed: libmpi itself needs libc alone. */
#ifndef SODIUM_H
#define SODIUM_H

enum { OS_SODIUM_KEY = 32, OS_SODIUM_MAC = 32 }; /* bytes; a key also of X25519 */

struct os_sodium { /* results of int: 0, or -1 */
    int (*auth)(unsigned char *mac, const unsigned char *in, unsigned long long len,
                const unsigned char *key);
    int (*verify)(const unsigned char *mac, const unsigned char *in, unsigned long long len,
                  const unsigned char *key);
    int (*public_key)(unsigned char *public_key, const unsigned char *private_key);
    int (*shared_key)(unsigned char *shared, const unsigned char *private_key,
                      const unsigned char *public_key); /* -1: that is no proper key */
};

extern struct os_sodium os_sodium; /* once os_sodium_open() has succeeded */

/* Loads the library, which then stays loaded: 0, or -ELIBACC when there is none that can be used.
 * Its name is STARLING_SODIUM_SONAME. */
int os_sodium_open(void);

#ifndef STARLING_SODIUM_SONAME
#define STARLING_SODIUM_SONAME "libsodium.so.23"
#endif

#endif /* SODIUM_H */
