/* ofi_front.h — what the front of the libfabric device, which is part of libmpi, and its module
 * know of each other. */
#ifndef OFI_FRONT_H
#define OFI_FRONT_H

#include <stddef.h>

struct dev_ops;

struct ofi_settings {
    const char *provider, *domain; /* "": the best there is */
    size_t eager_max;              /* bytes */
};

enum { OFI_INJECT_MAX = 8192 };

/* The one function of the module that others find: dlsym(OFI_ENTRY). */
#define OFI_ENTRY "starling_libfabric"
const struct dev_ops *starling_libfabric(const struct ofi_settings *settings);

#endif /* OFI_FRONT_H */
