/* pm_cpus.h — sets of CPUs, the hardware threads of a machine by the numbers of its kernel, and
 * their form as text: "0,4-7". */
#ifndef PM_CPUS_H
#define PM_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PM_CPUS = 4096, PM_CPUS_TEXT = 4 * PM_CPUS }; /* enough for any set, with its NUL */

struct pm_cpus {
    uint64_t bits[PM_CPUS / 64];
};

/* Reads len characters. -EINVAL, and an empty set: they are not such a list of CPUs below PM_CPUS,
 * each named once and in ascending order. */
int pm_cpus_parse(struct pm_cpus *set, const char *text, size_t len);
void pm_cpus_text(const struct pm_cpus *set, char *text, size_t len); /* "" for an empty set */

bool pm_cpus_has(const struct pm_cpus *set, int cpu);
int pm_cpus_next(const struct pm_cpus *set, int from); /* the first that is not below; or -1 */
int pm_cpus_count(const struct pm_cpus *set);
void pm_cpus_add(struct pm_cpus *set, const struct pm_cpus *more);
struct pm_cpus pm_cpus_both(const struct pm_cpus *a, const struct pm_cpus *b);
/* They have a common CPU. */
bool pm_cpus_intersect(const struct pm_cpus *a, const struct pm_cpus *b);
bool pm_cpus_equal(const struct pm_cpus *a, const struct pm_cpus *b);
bool pm_cpus_contain(const struct pm_cpus *set, const struct pm_cpus *subset);

#endif /* PM_CPUS_H */
