/* starling_topo.c — prints the machine as text, for mpiexec, which binds ranks to parts of it.
 *
 * It is a program of its own because mpiexec must run where hwloc is not. Its lines are a kind of
 * part and the numbers of its CPUs, in the order of hwloc, in which neighbors are close:
 *
 *     starling_topo 1
 *     machine 0-7
 *     allowed 0-3
 *     package 0-7
 *     ...
 *     hwthread 7
 *     end
 *
 * Allowed are the CPUs that the cgroup and the mask of the caller leave; the other lines are of the
 * whole machine. Each CPU is in one package, one core and one hardware thread, whatever hwloc
 * knows; caches may be missing. HWLOC_SYNTHETIC and HWLOC_XMLFILE name another machine. */
#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct kind {
    const char *name;
    hwloc_obj_type_t type;
    enum {
        AS_FOUND,
        IN_ONE,
        EACH
    } rest; /* CPUs outside of hwloc's objects: left out, in one object, or an object each */
} kinds[] = {
    { "package", HWLOC_OBJ_PACKAGE, IN_ONE },   { "numa", HWLOC_OBJ_NUMANODE, AS_FOUND },
    { "l3cache", HWLOC_OBJ_L3CACHE, AS_FOUND }, { "l2cache", HWLOC_OBJ_L2CACHE, AS_FOUND },
    { "l1cache", HWLOC_OBJ_L1CACHE, AS_FOUND }, { "core", HWLOC_OBJ_CORE, EACH },
    { "hwthread", HWLOC_OBJ_PU, EACH },
};

static _Noreturn void topo_tool_fail(const char *what)
{
    (void) fprintf(stderr, "starling_topo: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void print_set(const char *name, hwloc_const_bitmap_t set)
{
    char *list;

    if (hwloc_bitmap_iszero(set)) /* a NUMA node of memory alone */
        return;
    if (hwloc_bitmap_list_asprintf(&list, set) < 0)
        topo_tool_fail("cannot make a list of CPUs");
    printf("%s %s\n", name, list);
    free(list);
}

static void print_kind(hwloc_topology_t t, const struct kind *k)
{
    hwloc_bitmap_t rest = hwloc_bitmap_dup(hwloc_get_root_obj(t)->cpuset);

    if (!rest)
        topo_tool_fail("cannot print the machine");
    for (hwloc_obj_t o = NULL; (o = hwloc_get_next_obj_by_type(t, k->type, o));) {
        print_set(k->name, o->cpuset);
        (void) hwloc_bitmap_andnot(rest, rest, o->cpuset);
    }
    if (k->rest == IN_ONE)
        print_set(k->name, rest);
    for (int cpu = -1; k->rest == EACH && (cpu = hwloc_bitmap_next(rest, cpu)) >= 0;)
        printf("%s %d\n", k->name, cpu);
    hwloc_bitmap_free(rest);
}

/* hwloc knows the limits of the cgroup, but not the mask of this process, which is of another
 * machine when the topology is not of this one. */
static void print_allowed(hwloc_topology_t t)
{
    hwloc_bitmap_t allowed = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(t));
    hwloc_bitmap_t mask = hwloc_bitmap_alloc();

    if (!allowed || !mask)
        topo_tool_fail("cannot print the machine");
    if (hwloc_topology_is_thissystem(t) && !hwloc_get_cpubind(t, mask, HWLOC_CPUBIND_PROCESS))
        (void) hwloc_bitmap_and(allowed, allowed, mask);
    print_set("allowed", allowed);
    hwloc_bitmap_free(allowed);
    hwloc_bitmap_free(mask);
}

static hwloc_topology_t topo_load_machine(void)
{
    hwloc_topology_t t;

    /* What firmware reports wrongly, hwloc says at length on standard error. */
    if (setenv("HWLOC_HIDE_ERRORS", "2", 0) || hwloc_topology_init(&t))
        topo_tool_fail("cannot use hwloc");
    if (hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED)
        || hwloc_topology_set_all_types_filter(t, HWLOC_TYPE_FILTER_KEEP_NONE))
        topo_tool_fail("cannot use hwloc");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        (void) hwloc_topology_set_type_filter(t, kinds[i].type, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(t))
        topo_tool_fail("hwloc cannot examine this machine");
    return t;
}

int main(int argc, char **argv)
{
    (void) argv;
    if (argc > 1) {
        (void) fprintf(stderr,
                       "Usage: starling_topo\n\nPrints the parts of this machine, and which "
                       "CPUs are allowed here, as mpiexec sees them.\n");
        return 1;
    }
    hwloc_topology_t t = topo_load_machine();
    printf("starling_topo 1\n");
    print_set("machine", hwloc_get_root_obj(t)->cpuset);
    print_allowed(t);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        print_kind(t, &kinds[i]);
    printf("end\n");
    hwloc_topology_destroy(t);
    if (fflush(stdout) || ferror(stdout))
        topo_tool_fail("cannot write");
    return 0;
}
