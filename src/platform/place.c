/* place.c — the parts of the machine (package, NUMA node, cache, core) of a set of cores, by
 * hwloc.
 *
 * The first call that needs libhwloc loads it: few programs do, and hwloc takes tens of
 * milliseconds to examine a machine. Without libhwloc, or with STARLING_HWLOC=OFF, os_place()
 * returns false. */
#include <dlfcn.h>
#include <string.h>
#if HAVE_HWLOC
#include <hwloc.h>
#endif
#include "platform/os.h"

#if HAVE_HWLOC

static const hwloc_obj_type_t type_of[OS_LEVELS] = {
    [OS_PACKAGE] = HWLOC_OBJ_PACKAGE, [OS_NUMA] = HWLOC_OBJ_NUMANODE, [OS_L3] = HWLOC_OBJ_L3CACHE,
    [OS_L2] = HWLOC_OBJ_L2CACHE,      [OS_CORE] = HWLOC_OBJ_CORE,     [OS_PU] = HWLOC_OBJ_PU,
};

static struct {
    void *library;
    __typeof__(hwloc_topology_init) *init;
    __typeof__(hwloc_topology_set_flags) *set_flags;
    __typeof__(hwloc_topology_load) *load;
    __typeof__(hwloc_topology_destroy) *destroy;
    __typeof__(hwloc_get_type_depth) *type_depth;
    __typeof__(hwloc_get_obj_by_depth) *object;
    __typeof__(hwloc_bitmap_isset) *isset;
} hw;
static hwloc_topology_t machine; /* NULL until loaded */
static bool failed;              /* loading has failed; not tried again */

static bool libhwloc_find(const char *name, void *function)
{
    void *address = dlsym(hw.library, name);

    memcpy(function, &address,
           sizeof address); /* ISO C has no cast from data to function pointers */
    return address;
}

static bool load_library(void)
{
    hw.library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
    return hw.library && libhwloc_find("hwloc_topology_init", &hw.init)
           && libhwloc_find("hwloc_topology_set_flags", &hw.set_flags)
           && libhwloc_find("hwloc_topology_load", &hw.load)
           && libhwloc_find("hwloc_topology_destroy", &hw.destroy)
           && libhwloc_find("hwloc_get_type_depth", &hw.type_depth)
           && libhwloc_find("hwloc_get_obj_by_depth", &hw.object)
           && libhwloc_find("hwloc_bitmap_isset", &hw.isset);
}

/* Loads the whole machine, also cores that this process may not use, so that all processes
 * number its parts alike. */
static bool load_machine(void)
{
    if (hw.init(&machine)) {
        machine = NULL;
        return false;
    }
    if (!hw.set_flags(machine, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) && !hw.load(machine))
        return true;
    hw.destroy(machine);
    machine = NULL;
    return false;
}

static bool has_all_cpus(hwloc_obj_t o, const struct os_cpus *cpus)
{
    for (unsigned w = 0; w < OS_CPUS / 64; w++)
        for (uint64_t left = cpus->bits[w]; left; left &= left - 1)
            if (!hw.isset(o->cpuset, 64 * w + (unsigned) __builtin_ctzll(left)))
                return false;
    return true;
}

static int find_object(hwloc_obj_type_t type, const struct os_cpus *cpus)
{
    int depth = hw.type_depth(machine, type);
    hwloc_obj_t o;

    if (depth == HWLOC_TYPE_DEPTH_UNKNOWN || depth == HWLOC_TYPE_DEPTH_MULTIPLE)
        return -1;
    for (unsigned i = 0; (o = hw.object(machine, depth, i)); i++)
        if (o->cpuset && has_all_cpus(o, cpus))
            return (int) o->logical_index;
    return -1;
}

bool os_place(const struct os_cpus *cpus, int at[OS_LEVELS])
{
    if (!machine && (failed || !load_library() || !load_machine())) {
        failed = true;
        return false;
    }
    for (int level = 0; level < OS_LEVELS; level++)
        at[level] = find_object(type_of[level], cpus);
    return true;
}

void os_place_end(void)
{
    if (machine)
        hw.destroy(machine);
    machine = NULL;
    if (hw.library)
        (void) dlclose(hw.library);
    hw.library = NULL;
    failed = false;
}

#else

bool os_place(const struct os_cpus *cpus, int at[OS_LEVELS])
{
    (void) cpus, (void) at;
    return false;
}

void os_place_end(void) {}

#endif
