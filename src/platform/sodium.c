/* sodium.c — loads libsodium, and finds its functions. */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include "platform/sodium.h"

struct os_sodium os_sodium;

static int (*library_init)(void);
static size_t (*mac_bytes)(void), (*key_bytes)(void), (*curve_bytes)(void), (*header_bytes)(void),
    (*added_bytes)(void), (*state_bytes)(void);

static const struct {
    const char *name;
    void *function; /* a pointer to it */
} functions[] = {
    { "sodium_init", &library_init },
    { "crypto_auth_bytes", &mac_bytes },
    { "crypto_auth_keybytes", &key_bytes },
    { "crypto_scalarmult_bytes", &curve_bytes },
    { "crypto_secretstream_xchacha20poly1305_headerbytes", &header_bytes },
    { "crypto_secretstream_xchacha20poly1305_abytes", &added_bytes },
    { "crypto_secretstream_xchacha20poly1305_statebytes", &state_bytes },
    { "crypto_auth", &os_sodium.auth },
    { "crypto_auth_verify", &os_sodium.verify },
    { "crypto_scalarmult_base", &os_sodium.public_key },
    { "crypto_scalarmult", &os_sodium.shared_key },
    { "crypto_generichash", &os_sodium.hash },
    { "crypto_secretstream_xchacha20poly1305_init_push", &os_sodium.begin_push },
    { "crypto_secretstream_xchacha20poly1305_push", &os_sodium.push },
    { "crypto_secretstream_xchacha20poly1305_init_pull", &os_sodium.begin_pull },
    { "crypto_secretstream_xchacha20poly1305_pull", &os_sodium.pull },
};

static bool find_functions(void *library)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *address = dlsym(library, functions[i].name);
        if (!address)
            return false;
        memcpy(functions[i].function, &address, sizeof address); /* ISO C has no cast for this */
    }
    return true;
}

int os_sodium_open(void)
{
    static void *loaded;

    if (loaded)
        return 0;
    void *library = dlopen(STARLING_SODIUM_SONAME, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return -ELIBACC;
    if (!find_functions(library) || library_init() < 0 || mac_bytes() != OS_SODIUM_MAC
        || key_bytes() != OS_SODIUM_KEY || curve_bytes() != OS_SODIUM_KEY
        || header_bytes() != OS_SODIUM_HEADER || added_bytes() != OS_SODIUM_ADDED
        || state_bytes() > OS_SODIUM_STATE) {
        (void) dlclose(library);
        return -ELIBACC;
    }
    loaded = library;
    return 0;
}
