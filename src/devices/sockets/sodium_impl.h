/* sodium_impl.h — the functions of libsodium that the device uses. */
#ifndef SODIUM_IMPL_H
#define SODIUM_IMPL_H

struct sock_sodium {
    int (*auth)(unsigned char *mac, const unsigned char *in, unsigned long long len,
                const unsigned char *key);
    int (*verify)(const unsigned char *mac, const unsigned char *in, unsigned long long len,
                  const unsigned char *key);
};

extern struct sock_sodium sock_sodium;

#endif /* SODIUM_IMPL_H */
