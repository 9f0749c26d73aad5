/* external.c — bytes in external32, which files and other libraries bring: any of them are numbers.
 * What they become is packed and unpacked alike, and nothing is touched beyond the elements. */
#include "adi3/adi3.h"
#include "adi3/datatype/datatype.h"
#include "fuzz.h"

enum { TYPES = 10 };

static struct adi3_type *type[TYPES];

static struct adi3_type *make(struct adi3_contents r)
{
    struct adi3_type *t;

    MUST(!adi3_type_make(&r, &t));
    return t;
}

/* Each conversion, and a struct, a vector with holes and one of a struct. */
static void make_types(void)
{
    static const MPI_Datatype some[] = { MPI_CHAR, MPI_C_BOOL,      MPI_WCHAR,     MPI_SHORT,
                                         MPI_LONG, MPI_LONG_DOUBLE, MPI_DOUBLE_INT };
    const int lens[] = { 3, 1, 2, 1 }, strided[] = { 2, 2, 3 };
    const MPI_Aint at[] = { 40, 0, 64 };

    MUST(!adi3_type_init());
    for (int i = 0; i < 7; i++)
        type[i] =
            some[i] == MPI_DOUBLE_INT ? adi3_get(&adi3_types, some[i]) : adi3_type_builtin(some[i]);
    type[7] = make((struct adi3_contents) { .combiner = MPI_COMBINER_STRUCT,
                                            .nints = 4,
                                            .naddrs = 3,
                                            .ntypes = 3,
                                            .ints = lens,
                                            .addrs = at,
                                            .types = type + 4 });
    type[8] = make((struct adi3_contents) { .combiner = MPI_COMBINER_VECTOR,
                                            .nints = 3,
                                            .ntypes = 1,
                                            .ints = strided,
                                            .types = type + 3 });
    type[9] = make((struct adi3_contents) { .combiner = MPI_COMBINER_VECTOR,
                                            .nints = 3,
                                            .ntypes = 1,
                                            .ints = strided,
                                            .types = type + 7 });
}

/* Memory for the elements that all these bytes are, exactly, so that the sanitizer sees its end. */
static char *unpacked(struct adi3_type *t, size_t count, const void *bytes)
{
    MPI_Aint len = (MPI_Aint) (count - 1) * t->extent + t->true_lb + t->true_extent;
    char *memory = malloc((size_t) len);

    MUST(memory);
    memset(memory, '#', (size_t) len);
    (void) adi3_unpack_external(&(struct adi3_data) { memory, count, t }, 0, bytes, SIZE_MAX);
    return memory;
}

static void check(struct adi3_type *t, const uint8_t *bytes, size_t len)
{
    size_t size = adi3_external_size(t), count = len / size;

    if (count == 0)
        return;
    char *memory = unpacked(t, count, bytes), *first = malloc(count * size),
         *second = malloc(count * size);
    MUST(first && second);
    (void) adi3_pack_external(&(struct adi3_data) { memory, count, t }, 0, first, SIZE_MAX);
    free(memory);
    memory = unpacked(t, count, first);
    (void) adi3_pack_external(&(struct adi3_data) { memory, count, t }, 0, second, SIZE_MAX);
    MUST(!memcmp(first, second, count * size));
    free(memory);
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (!type[0])
        make_types();
    for (int i = 0; i < TYPES; i++)
        check(type[i], data, len);
    return 0;
}
