/* libfabric.c — the front of the device for RDMA networks: its settings and limits, and loading the
 * rest.
 *
 * The rest is a module, so that libmpi does not need libfabric, and a job that does not use this
 * device does not load it. */
#include <dlfcn.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "devices/device.h"
#include "devices/libfabric/ofi_front.h"
#include "platform/os.h"
#include "platform/setting.h"

extern const struct dev_ops dev_libfabric;

static const char module_path[] = "starling/libstarling_libfabric.so";
static struct ofi_settings chosen;
static const char *module_file;

static const struct setting settings[] = {
    { "OFI_PROVIDER", SETTING_STRING, &chosen.provider, "",
      "Provider of libfabric, such as verbs;ofi_rxm or tcp;ofi_rxm; empty: the best "
      "one available." },
    { "OFI_DOMAIN", SETTING_STRING, &chosen.domain, "",
      "Domain of the provider, such as mlx5_0 or eth0; empty: the first that other processes "
      "can reach." },
    { "OFI_EAGER_MAX", SETTING_SIZE, &chosen.eager_max, "16k",
      "Largest message sent through libfabric without asking the receiver first, in bytes." },
    { "OFI_MODULE", SETTING_STRING, &module_file, "",
      "File of the libfabric device; empty: starling/libstarling_libfabric.so beside libmpi.so." },
    { 0 }
};

/* Whether this host has a network device that is faster than TCP. */
static bool has_hardware(void)
{
    static const char *const devices[] = { "/dev/infiniband/uverbs*", "/dev/hfi1_*", "/dev/cxi*" };
    bool found = false;

    for (size_t i = 0; i < sizeof devices / sizeof *devices && !found; i++) {
        glob_t g = { .gl_pathc = 0 };
        found = glob(devices[i], GLOB_NOSORT, NULL, &g) == 0;
        globfree(&g);
    }
    return found;
}

static bool on_request(void) { return !has_hardware(); }

static int fabric_limits(struct dev_limits *out)
{
    *out = (struct dev_limits) { .inject_max = OFI_INJECT_MAX, .eager_max = chosen.eager_max };
    return 0;
}

/* The module is never unloaded: providers leave threads and exit handlers behind. */
static const struct dev_ops *module_load(const char **why)
{
    const struct dev_ops *(*entry)(const struct ofi_settings *) = NULL;
    const char *file = *module_file ? module_file : module_path;
    char path[OS_PATH];

    /* Libraries of providers would otherwise print a backtrace at the program's signals. */
    (void) setenv("IPATH_NO_BACKTRACE", "1", 0);
    (void) setenv("HFI_NO_BACKTRACE", "1", 0);
    if (!*module_file && os_beside(&dev_libfabric, module_path, path))
        file = path;
    void *module = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    void *address = module ? dlsym(module, OFI_ENTRY) : NULL;

    if (!address) {
        *why = dlerror(); /* names the file, or the library that it needs */
        return NULL;
    }
    memcpy(&entry, &address, sizeof entry); /* ISO C has no cast for this */
    return entry(&chosen);
}

const struct dev_ops dev_libfabric = {
    .name = "libfabric",
    .abi = DEV_ABI,
    .settings = settings,
    .query = fabric_limits,
    .on_request = on_request,
    .load = module_load,
};
