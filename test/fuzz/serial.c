/* serial.c — bytes that describe a datatype, of any process: they are refused, or make a type that
 * touches nothing outside of its bounds and that is the same once more after another journey. */
#include "adi3/adi3.h"
#include "adi3/datatype/datatype.h"
#include "fuzz.h"

enum { MOST = 1 << 16 };

/* So that the address of an element that is not there does not wrap around. */
static bool far(MPI_Aint x) { return x > INT32_MAX || x < INT32_MIN; }

/* In memory of exactly its bounds, so that the sanitizer sees both ends. */
static void use(struct adi3_type *t)
{
    size_t extent = (size_t) t->true_extent, some = t->size < MOST ? t->size : MOST;

    if (extent > MOST || far(t->true_lb) || far(t->extent))
        return;
    char *memory = calloc(1, extent ? extent : 1), *packed = calloc(1, some ? some : 1);
    MUST(memory && packed);
    const struct adi3_data d = { (char *) ((uintptr_t) memory - (size_t) t->true_lb), 1, t };
    adi3_pack(&d, t->size - some, packed, some);
    adi3_unpack(&d, t->size - some, packed, some);
    adi3_unpack(&d, 0, packed, some);
    free(memory);
    free(packed);
}

static uint8_t *bytes_of(const struct adi3_type *t, size_t *len)
{
    *len = adi3_type_serialize(t, NULL, 0);
    uint8_t *bytes = malloc(*len);
    MUST(*len && bytes && adi3_type_serialize(t, bytes, *len) == *len);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct adi3_type *t, *again;
    size_t once, twice;

    MUST(!adi3_type_init());
    if (adi3_type_deserialize(data, len, &t))
        return 0;
    use(t);
    uint8_t *first = bytes_of(t, &once);
    MUST(!adi3_type_deserialize(first, once, &again));
    uint8_t *second = bytes_of(again, &twice);
    MUST(once == twice && !memcmp(first, second, once));
    MUST(t->size == again->size && t->true_lb == again->true_lb
         && t->true_extent == again->true_extent && t->basic == again->basic);
    free(first);
    free(second);
    adi3_type_release(t);
    adi3_type_release(again);
    return 0;
}
