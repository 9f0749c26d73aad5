/* sodium.c — libsodium, loaded when the device opens: libmpi itself needs libc alone. */
#include <dlfcn.h>
#include <string.h>
#include "devices/sockets/sock_impl.h"
#include "devices/sockets/sodium_impl.h"

static void *library;
struct sock_sodium sock_sodium;

static int libsodium_find(const char *name, void *function)
{
    void *address = dlsym(library, name);

    memcpy(function, &address, sizeof address); /* ISO C has no cast for this */
    return address ? 0 : -ELIBACC;
}

int sock_sodium_open(void)
{
    int (*init)(void);
    size_t (*bytes)(void), (*keybytes)(void);

    if (library)
        return 0;
    library = dlopen(STARLING_SODIUM_SONAME, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return -ELIBACC;
    if (libsodium_find("sodium_init", &init) || libsodium_find("crypto_auth_bytes", &bytes)
        || libsodium_find("crypto_auth_keybytes", &keybytes)
        || libsodium_find("crypto_auth", &sock_sodium.auth)
        || libsodium_find("crypto_auth_verify", &sock_sodium.verify) || init() < 0
        || bytes() != SOCK_MAC || keybytes() != DEV_SECRET) {
        sock_sodium_close();
        return -ELIBACC;
    }
    return 0;
}

void sock_sodium_close(void)
{
    if (library)
        (void) dlclose(library);
    library = NULL;
}
