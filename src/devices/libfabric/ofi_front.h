/* ofi_front.h — the interface between the two parts of the libfabric device: the front in
 * libmpi, and the module. */
#ifndef OFI_FRONT_H
#define OFI_FRONT_H

#include <stddef.h>

struct dev_ops;

struct ofi_settings {
    const char *provider, *domain; /* "": the best available */
    size_t eager_max;              /* bytes */
};

enum { OFI_INJECT_MAX = 8192 };

/* The only exported function of the module, found with dlsym(OFI_ENTRY). */
#define OFI_ENTRY "starling_libfabric"
const struct dev_ops *starling_libfabric(const struct ofi_settings *settings);

#endif /* OFI_FRONT_H */
