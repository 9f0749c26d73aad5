/* keyval.c — keys of attributes. A key that the user has freed exists until its last attribute is
 * gone (§6.7.2); until then these attributes can still be read and deleted. */
#include "mpi/attr/attr.h"

static int keyval_handles(const void *object)
{
    return !((const struct mpir_keyval *) object)->freed;
}

static struct adi3_pool keyvals = ADI3_POOL_OF(ADI3_KEYVAL, struct mpir_keyval, keyval_handles);

static const char *const objects[] = {
    [MPIR_ON_COMM] = "communicators", [MPIR_ON_TYPE] = "datatypes", [MPIR_ON_WIN] = "windows"
};

int mpir_keyval_create(enum mpir_object kind, struct mpir_callbacks call, int *keyval)
{
    int handle;
    struct mpir_keyval *k = adi3_new(&keyvals, &handle);

    if (!k)
        return adi3_no_memory("for an attribute key of %s", objects[kind]);
    *k = (struct mpir_keyval) { .handle = handle, .refs = 1, .kind = kind, .call = call };
    *keyval = handle;
    return MPI_SUCCESS;
}

static int keyval_error(enum mpir_object kind, int keyval, const struct mpir_keyval *k)
{
    if (keyval == MPI_KEYVAL_INVALID)
        return mpir_error(MPI_ERR_KEYVAL, "the key is MPI_KEYVAL_INVALID");
    if (k && k->kind != kind)
        return mpir_error(MPI_ERR_KEYVAL, "0x%x is a key of %s, not of %s", (unsigned) keyval,
                          objects[k->kind], objects[kind]);
    if (k)
        return mpir_error(MPI_ERR_KEYVAL, "the key 0x%x was freed", (unsigned) keyval);
    if ((unsigned) keyval >> 30 == ADI3_HOW_BUILTIN)
        return mpir_error(MPI_ERR_KEYVAL,
                          "0x%x is predefined, or no key of %s: it cannot be changed or freed",
                          (unsigned) keyval, objects[kind]);
    return mpir_error(MPI_ERR_KEYVAL, "0x%x is not a key of %s, or one that was freed",
                      (unsigned) keyval, objects[kind]);
}

int mpir_keyval_get(enum mpir_object kind, int keyval, struct mpir_keyval **k)
{
    *k = adi3_get(&keyvals, keyval);
    return *k && (*k)->kind == kind && !(*k)->freed ? MPI_SUCCESS : keyval_error(kind, keyval, *k);
}

void mpir_keyval_release(struct mpir_keyval *k)
{
    if (--k->refs == 0)
        adi3_free(&keyvals, k);
}

/* A freed key that has attributes left may be freed again: MPICH takes that, and a program may have
 * a delete function that frees its key at each call. */
int mpir_keyval_free(enum mpir_object kind, int *keyval)
{
    struct mpir_keyval *k = adi3_get(&keyvals, *keyval);

    if (!k || k->kind != kind)
        return keyval_error(kind, *keyval, k);
    if (!k->freed) {
        k->freed = true;
        mpir_keyval_release(k);
    }
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}
