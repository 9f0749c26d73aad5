/* attribute.c — the list of an object's attributes, and when the user's functions are called. */
#include <sched.h>
#include <stdlib.h>
#include "mpi/attr/attr.h"
#include "mpi/errhan/errhan.h"

static uint64_t numbers;      /* the number of the attribute set last */
static _Thread_local char me; /* its address identifies a thread */

/* ---- the user's functions: without the lock, and they may call MPI --------------------------- */

/* The error code of a failed user function: err itself when it has a text, else a new code whose
 * text names the function and the key. */
static int callback_error(const char *function, int keyval, int err)
{
    int class = mpir_error_class(err);

    if (!err || mpir_user_code(err) || adi3_error_text(err))
        return err;
    if (class <= MPI_SUCCESS || class == MPI_ERR_LASTCODE)
        class = MPI_ERR_OTHER;
    return mpir_error(class, "the %s function of the key 0x%x has returned %d", function,
                      (unsigned) keyval, err);
}

static int call_delete(struct mpir_attr_holder o, const struct mpir_attribute *a)
{
    const struct mpir_callbacks call = a->key->call;
    void *value = mpir_attribute_seen(a, call.language->attributes);
    const struct adi3_attribute in = { o.handle, a->keyval, call.extra, value };
    const char *name = adi3_current.call;

    if (!call.delete_fn)
        return MPI_SUCCESS;
    bool unlocked = adi3_unlock_for(SIZE_MAX);
    int err = call.language->delete_attr(call.delete_fn, &in);
    if (unlocked)
        adi3_lock();
    adi3_current.call = name;
    return callback_error("delete", a->keyval, err);
}

/* Sets a value, and with it the kind: of an integer C sees the address in the attribute. */
static void attribute_store(struct mpir_attribute *a, enum adi3_attr_kind kind, void *value)
{
    a->kind = kind;
    switch (kind) {
    case ADI3_POINTER:
        a->value = value;
        break;
    case ADI3_INTEGER:
        a->stored.integer = (int) (intptr_t) value;
        a->value = &a->stored.integer;
        break;
    case ADI3_ADDRESS:
        a->stored.address = (MPI_Aint) value;
        a->value = &a->stored.address;
        break;
    }
}

/* Calls the copy function for a; sets the value of the copy, and flag. a may be gone afterwards.
 * The copy is of the kind that the language of the function makes. It is of the kind of a when the
 * function is MPI_x_DUP_FN, of any language, or when a function in C gives back the address of the
 * integer that it was given: that address is one in a, which may end before the copy. */
static int call_copy(struct mpir_attr_holder o, const struct mpir_attribute *a,
                     struct mpir_attribute *copy, int *flag)
{
    const struct mpir_callbacks call = a->key->call;
    const struct adi3_language *language = call.language;
    void *own = mpir_attribute_seen(a, a->kind), *out = NULL;
    enum adi3_attr_kind kind = a->kind;
    const struct adi3_attribute in = { o.handle, a->keyval, call.extra,
                                       mpir_attribute_seen(a, language->attributes) };
    const char *name = adi3_current.call;

    *flag = 0;
    if (!call.copy_fn)
        return MPI_SUCCESS;
    if (call.copy_fn == (MPI_Comm_copy_attr_function *) MPIR_Dup_fn) {
        *flag = 1;
        attribute_store(copy, kind, own);
        return MPI_SUCCESS;
    }
    bool unlocked = adi3_unlock_for(SIZE_MAX);
    int err = language->copy_attr(call.copy_fn, &in, &out, flag);
    if (unlocked)
        adi3_lock();
    adi3_current.call = name;
    if (language->attributes == ADI3_POINTER && out == in.value)
        attribute_store(copy, kind, own);
    else
        attribute_store(copy, language->attributes, out);
    return callback_error("copy", in.keyval, err);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void attribute_insert(struct mpir_attribute **list, struct mpir_attribute *a)
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

static void attribute_discard(struct mpir_attribute *a)
{
    mpir_keyval_release(a->key);
    free(a);
}

static void remove_from(struct mpir_attribute **list, struct mpir_attribute *a)
{
    while (*list != a)
        list = &(*list)->next;
    *list = a->next;
    attribute_discard(a);
}

/* Waits while another thread deletes the attribute of a key; returns it, or NULL when it is
 * gone. */
static struct mpir_attribute *await_deletion(struct mpir_attr_holder o, int keyval)
{
    struct mpir_attribute *a;

    while ((a = mpir_attribute_find(*o.list, keyval)) && a->deleting && a->deleting != &me) {
        bool unlocked = adi3_unlock_for(SIZE_MAX);
        (void) sched_yield();
        if (unlocked)
            adi3_lock();
    }
    return a;
}

/* Deletes an attribute. It stays when its delete function fails. */
static int attribute_delete(struct mpir_attr_holder o, struct mpir_attribute *a)
{
    if (a->deleting)
        return mpir_error(MPI_ERR_OTHER,
                          "the attribute of the key 0x%x is being deleted by this thread",
                          (unsigned) a->keyval);
    a->deleting = &me; /* other threads wait: it stays in the list */
    int err = call_delete(o, a);
    a->deleting = NULL;
    if (!err)
        remove_from(o.list, a);
    return err;
}

/* The attribute has a reference to the key: a callback may free the handle. */
static struct mpir_attribute *attribute_make(struct mpir_keyval *k)
{
    struct mpir_attribute *a = malloc(sizeof *a);

    if (!a)
        return NULL;
    *a = (struct mpir_attribute) { .keyval = k->handle, .key = k };
    k->refs++;
    return a;
}

int mpir_attribute_set(struct mpir_attr_holder o, int keyval, void *value)
{
    struct mpir_keyval *k;
    int err = mpir_keyval_get(o.kind, keyval, &k);

    if (err)
        return err;
    enum adi3_attr_kind kind = mpir_attribute_passed(&value);
    struct mpir_attribute *new = attribute_make(k), *old = await_deletion(o, keyval);
    if (!new)
        return adi3_no_memory("for the attribute of the key 0x%x", (unsigned) keyval);
    attribute_store(new, kind, value);
    if (old)
        err = attribute_delete(o, old);
    if (err) {
        attribute_discard(new);
        return err;
    }
    new->number = ++numbers;
    attribute_insert(o.list, new);
    return MPI_SUCCESS;
}

int mpir_attribute_delete(struct mpir_attr_holder o, int keyval)
{
    struct mpir_attribute *a = await_deletion(o, keyval);
    struct mpir_keyval *k;

    return a ? attribute_delete(o, a) : mpir_keyval_get(o.kind, keyval, &k);
}

int mpir_attributes_delete(struct mpir_attr_holder o)
{
    int err = MPI_SUCCESS;

    while (*o.list && !err) {
        struct mpir_attribute *a = await_deletion(o, (*o.list)->keyval);
        err = a ? attribute_delete(o, a) : MPI_SUCCESS;
    }
    return err;
}

void mpir_attributes_drop(struct mpir_attribute **list)
{
    while (*list)
        remove_from(list, *list);
}

void mpir_attributes_drop_of_type(struct adi3_type *t) { mpir_attributes_drop(&t->attributes); }

static int attribute_copy(struct mpir_attr_holder from, const struct mpir_attribute *a,
                          struct mpir_attr_holder to)
{
    struct mpir_attribute *new = attribute_make(a->key);
    int flag;

    if (!new)
        return adi3_no_memory("for the attribute of the key 0x%x", (unsigned) a->keyval);
    new->number = a->number;
    int err = call_copy(from, a, new, &flag);
    if (!err && flag)
        attribute_insert(to.list, new);
    else
        attribute_discard(new);
    return err;
}

/* Deletes the copies made so far; errors of delete functions are ignored, the first error
 * counts. */
static void attribute_copies_undo(struct mpir_attr_holder to)
{
    for (struct mpir_attribute *a; (a = *to.list);)
        if (attribute_delete(to, a))
            remove_from(to.list, a);
}

int mpir_attributes_copy(struct mpir_attr_holder from, struct mpir_attr_holder to)
{
    uint64_t at = UINT64_MAX;
    int err = MPI_SUCCESS;

    for (struct mpir_attribute *a; !err && (a = set_before(*from.list, at));) {
        at = a->number;
        err = attribute_copy(from, a, to);
    }
    if (err)
        attribute_copies_undo(to);
    return err;
}
