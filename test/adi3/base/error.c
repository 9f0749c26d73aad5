/* error.c — error codes: a class for ever, a text as long as it is among the last ones. */
#include <limits.h>
#include <string.h>
#include "adi3/adi3.h"
#include "unit.h"

enum { KEPT = 64 }; /* texts, at least */

static void class_and_text(void **state)
{
    int code = adi3_error(MPI_ERR_TAG, "tag %d is outside 0..%d", -3, 7);

    (void) state;
    assert_int_equal(code & ADI3_CLASS_MASK, MPI_ERR_TAG);
    assert_true(code > ADI3_CLASS_MASK);
    assert_string_equal(adi3_error_text(code), "tag -3 is outside 0..7");
    assert_int_equal(adi3_error(MPI_ERR_WIN, "%s", "") & ADI3_CLASS_MASK, MPI_ERR_WIN);
    code = adi3_no_memory("for a group of %d processes", 3);
    assert_int_equal(code & ADI3_CLASS_MASK, MPI_ERR_NO_MEM);
    assert_string_equal(adi3_error_text(code), "no memory for a group of 3 processes");
}

static void the_last_are_kept(void **state)
{
    int code[KEPT];
    char want[32];

    (void) state;
    for (int i = 0; i < KEPT; i++) {
        code[i] = adi3_error(i % 50, "number %d", i);
        for (int j = 0; j < i; j++)
            assert_int_not_equal(code[i], code[j]);
    }
    for (int i = 0; i < KEPT; i++) {
        (void) snprintf(want, sizeof want, "number %d", i);
        assert_string_equal(adi3_error_text(code[i]), want);
    }
}

/* E03: an old code has lost its text, but neither its class nor into another's text. */
static void old_ones_keep_their_class(void **state)
{
    int old = adi3_error(MPI_ERR_RANK, "old");

    (void) state;
    for (int i = 0; i < 1000; i++) {
        const char *text = adi3_error_text(old);
        assert_true(!text || !strcmp(text, "old"));
        (void) adi3_error(MPI_ERR_RANK, "new");
    }
    assert_null(adi3_error_text(old));
    assert_int_equal(old & ADI3_CLASS_MASK, MPI_ERR_RANK);
}

/* A text may be part of the one that takes its place. */
static void texts_in_texts(void **state)
{
    int inner = adi3_error(MPI_ERR_RANK, "inner");

    (void) state;
    for (int i = 0; i < KEPT - 1; i++)
        (void) adi3_error(MPI_ERR_RANK, "between");
    int outer = adi3_error(MPI_ERR_OTHER, "outer: %s", adi3_error_text(inner));
    assert_string_equal(adi3_error_text(outer), "outer: inner");
}

/* E03: codes are numbers up to MPI_ERR_LASTCODE, with their class, however many there were. */
static void numbers_begin_again(void **state)
{
    int first = adi3_error(MPI_ERR_ARG, "x"), code = 0, most = 0;

    (void) state;
    for (int i = 0; i < (1 << 23) + 100 && code != first; i++) {
        code = adi3_error(MPI_ERR_ARG, "x");
        most = code > most ? code : most;
        if (code <= ADI3_CLASS_MASK || code > MPI_ERR_LASTCODE
            || (code & ADI3_CLASS_MASK) != MPI_ERR_ARG)
            fail_msg("code %#x after %d others", (unsigned) code, i);
    }
    assert_int_equal(code, first);
    assert_true(most > MPI_ERR_LASTCODE / 2); /* all numbers were used */
    assert_string_equal(adi3_error_text(code), "x");
}

static void long_texts_are_cut(void **state)
{
    char text[5000];

    (void) state;
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    const char *kept = adi3_error_text(adi3_error(MPI_ERR_OTHER, "%s", text));
    assert_non_null(kept);
    assert_true(strlen(kept) >= 200 && strlen(kept) < MPI_MAX_ERROR_STRING);
    assert_memory_equal(kept, text, strlen(kept));
}

static void codes_without_a_text(void **state)
{
    (void) state;
    for (int errclass = 0; errclass <= ADI3_CLASS_MASK; errclass++)
        assert_null(adi3_error_text(errclass));
    assert_null(adi3_error_text(-1));
    assert_null(adi3_error_text(INT_MAX));
    assert_null(adi3_error_text(INT_MIN));
}

/* E03: each class of the standard has a name and a text, and no other number has. */
static void every_class(void **state)
{
    int n = 0;

    (void) state;
    for (int i = -1000; i < 2000; i++) {
        const char *name = adi3_class_name(i), *text = adi3_class_text(i);
        assert_int_equal(!name, !text);
        n += name != NULL;
        if (!name)
            continue;
        assert_true(i >= 0 && i <= ADI3_CLASS_MASK);
        assert_true(i == MPI_SUCCESS || !strncmp(name, "MPI_ERR_", 8));
        assert_true(text[0] && strlen(text) < MPI_MAX_ERROR_STRING);
    }
    assert_string_equal(adi3_class_name(MPI_ERR_TRUNCATE), "MPI_ERR_TRUNCATE");
    assert_string_equal(adi3_class_name(MPI_SUCCESS), "MPI_SUCCESS");
    assert_true(n >= 57);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(class_and_text),
        cmocka_unit_test(the_last_are_kept),
        cmocka_unit_test(old_ones_keep_their_class),
        cmocka_unit_test(texts_in_texts),
        cmocka_unit_test(numbers_begin_again),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(codes_without_a_text),
        cmocka_unit_test(every_class),
    };

    return UNIT_RUN(tests);
}
