/* attribute.c — the list of an object's attributes, and when the user's functions are called. */
#include <sched.h>
#include <stdlib.h>
#include "attr.h"
#include "errhan/errhan.h"

static uint64_t numbers;      /* so many attributes have been set */
static _Thread_local char me; /* its address tells threads apart */

/* ---- the user's functions: without the lock, and they may call MPI --------------------------- */

/* What a user's function has returned, as a code that says so; one that has words stays. */
static int failure(const char *function, int keyval, int err)
{
    int class = mpir_error_class(err);

    if (!err || mpir_user_code(err) || adi3_error_text(err))
        return err;
    if (class <= MPI_SUCCESS || class == MPI_ERR_LASTCODE)
        class = MPI_ERR_OTHER;
    return mpir_error(class, "the %s function of the key 0x%x has returned %d", function,
                      (unsigned) keyval, err);
}

static int call_delete(struct mpir_attr_holder b, const struct mpir_attribute *a)
{
    const struct mpir_callbacks call = a->key->call;
    const char *name = adi3_call;

    if (!call.delete_fn)
        return MPI_SUCCESS;
    bool aside = adi3_unlock_for(SIZE_MAX);
    int err = call.delete_fn(b.handle, a->keyval, a->value, call.extra);
    if (aside)
        adi3_lock();
    adi3_call = name;
    return failure("delete", a->keyval, err);
}

/* Sets value and flag; the attribute may be gone afterwards. */
static int call_copy(struct mpir_attr_holder b, const struct mpir_attribute *a, void **value,
                     int *flag)
{
    const struct mpir_callbacks call = a->key->call;
    const char *name = adi3_call;
    void *in = a->value;
    int keyval = a->keyval;

    *flag = 0;
    if (!call.copy_fn)
        return MPI_SUCCESS;
    bool aside = adi3_unlock_for(SIZE_MAX);
    int err = call.copy_fn(b.handle, keyval, call.extra, in, value, flag);
    if (aside)
        adi3_lock();
    adi3_call = name;
    return failure("copy", keyval, err);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void insert(struct mpir_attribute **list, struct mpir_attribute *a)
{
    while (*list && (*list)->number > a->number)
        list = &(*list)->next;
    a->next = *list;
    *list = a;
}

static struct mpir_attribute *set_before(struct mpir_attribute *list, uint64_t number)
{
    while (list && list->number >= number)
        list = list->next;
    return list;
}

static void discard(struct mpir_attribute *a)
{
    mpir_keyval_release(a->key);
    free(a);
}

static void take_out(struct mpir_attribute **list, struct mpir_attribute *a)
{
    while (*list != a)
        list = &(*list)->next;
    *list = a->next;
    discard(a);
}

/* The attribute of a key, when no other thread is deleting it any more; NULL: there is none. */
static struct mpir_attribute *await(struct mpir_attr_holder b, int keyval)
{
    struct mpir_attribute *a;

    while ((a = mpir_attribute_find(*b.list, keyval)) && a->ender && a->ender != &me) {
        bool aside = adi3_unlock_for(SIZE_MAX);
        (void) sched_yield();
        if (aside)
            adi3_lock();
    }
    return a;
}

/* It stays when its delete function fails. */
static int end(struct mpir_attr_holder b, struct mpir_attribute *a)
{
    if (a->ender)
        return mpir_error(MPI_ERR_OTHER, "the attribute of the key 0x%x is just being deleted",
                          (unsigned) a->keyval);
    a->ender = &me; /* nobody else takes it out */
    int err = call_delete(b, a);
    a->ender = NULL;
    if (!err)
        take_out(b.list, a);
    return err;
}

/* Holds the key, which a callback may free. */
static struct mpir_attribute *make(struct mpir_keyval *k, void *value)
{
    struct mpir_attribute *a = malloc(sizeof *a);

    if (!a)
        return NULL;
    *a = (struct mpir_attribute) { .keyval = k->handle, .value = value, .key = k };
    k->refs++;
    return a;
}

static int no_memory(int keyval)
{
    return mpir_error(MPI_ERR_NO_MEM, "no memory for the attribute of the key 0x%x",
                      (unsigned) keyval);
}

int mpir_attribute_set(struct mpir_attr_holder b, int keyval, void *value)
{
    struct mpir_keyval *k;
    int err = mpir_keyval_get(b.kind, keyval, &k);

    if (err)
        return err;
    struct mpir_attribute *new = make(k, value), *old = await(b, keyval);
    if (!new)
        return no_memory(keyval);
    if (old && (err = end(b, old))) {
        discard(new);
        return err;
    }
    new->number = ++numbers;
    insert(b.list, new);
    return MPI_SUCCESS;
}

int mpir_attribute_delete(struct mpir_attr_holder b, int keyval)
{
    struct mpir_attribute *a = await(b, keyval);
    struct mpir_keyval *k;

    return a ? end(b, a) : mpir_keyval_get(b.kind, keyval, &k);
}

int mpir_attributes_delete(struct mpir_attr_holder b)
{
    int err = MPI_SUCCESS;

    while (*b.list && !err) {
        struct mpir_attribute *a = await(b, (*b.list)->keyval);
        err = a ? end(b, a) : MPI_SUCCESS;
    }
    return err;
}

void mpir_attributes_drop(struct mpir_attribute **list)
{
    while (*list)
        take_out(list, *list);
}

void mpir_attributes_drop_of_type(struct adi3_type *t) { mpir_attributes_drop(&t->attributes); }

static int copy_one(struct mpir_attr_holder from, const struct mpir_attribute *a,
                    struct mpir_attr_holder to)
{
    struct mpir_attribute *new = make(a->key, NULL);
    int flag;

    if (!new)
        return no_memory(a->keyval);
    new->number = a->number;
    int err = call_copy(from, a, &new->value, &flag);
    if (!err && flag)
        insert(to.list, new);
    else
        discard(new);
    return err;
}

/* Of several errors the first one counts. */
static void undo(struct mpir_attr_holder to)
{
    for (struct mpir_attribute *a; (a = *to.list);)
        if (end(to, a))
            take_out(to.list, a);
}

int mpir_attributes_copy(struct mpir_attr_holder from, struct mpir_attr_holder to)
{
    uint64_t at = UINT64_MAX;
    int err = MPI_SUCCESS;

    for (struct mpir_attribute *a; !err && (a = set_before(*from.list, at));) {
        at = a->number;
        err = copy_one(from, a, to);
    }
    if (err)
        undo(to);
    return err;
}
