/* counter.c — counters: finds rows, and reads what they count. */
#include <string.h>
#include "platform/counter.h"

const struct counter *counter_find(const struct counter *const tables[], const char *name)
{
    for (; *tables; tables++)
        for (const struct counter *c = *tables; c->name; c++)
            if (!strcmp(c->name, name))
                return c;
    return NULL;
}

const struct counter *counter_find_twice(const struct counter *const tables[])
{
    for (const struct counter *const *t = tables; *t; t++)
        for (const struct counter *c = *t; c->name; c++)
            if (counter_find(tables, c->name) != c)
                return c;
    return NULL;
}

uint64_t counter_value(const struct counter *c, const void *object)
{
    const void *value = c->object == COUNTER_OF_PROCESS ? c->at.value : c->at.value_of(object);

    if (!value)
        return 0;
    return c->type == COUNTER_UINT64 ? __atomic_load_n((const uint64_t *) value, __ATOMIC_RELAXED)
                                     : __atomic_load_n((const unsigned *) value, __ATOMIC_RELAXED);
}
