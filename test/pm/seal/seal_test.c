/* seal_test.c — sealed bytes that are cut or changed anywhere, and wrong ends of a connection. */
#include <string.h>
#include "pm/seal/pm_seal.h"
#include "unit.h"

static const unsigned char secret[PM_SECRET] = { 1, 2, 3 }, other_secret[PM_SECRET] = { 1, 2, 4 },
                           challenge[PM_CHALLENGE] = { 5 }, challenge2[PM_CHALLENGE] = { 6 };
static char sent[3 * PM_RECORD_MAX / 2];

/* Moves bytes[0, len), step bytes at a time, and returns the result; got has what has come. */
static int unseal(struct pm_seal *s, const char *bytes, size_t len, size_t step,
                  struct pm_bytes *got)
{
    struct pm_bytes in = { .bytes = NULL };
    int err = 0;

    for (size_t n; !err && len; bytes += n, len -= n) {
        n = step < len ? step : len;
        assert_int_equal(pm_bytes_add(&in, bytes, n), 0);
        err = pm_seal_get(s, &in, got);
    }
    pm_bytes_free(&in);
    return err;
}

static void expect_refused(const unsigned char *key, const unsigned char *of_proxy, bool at_proxy,
                           const struct pm_bytes *sealed, size_t changed)
{
    struct pm_seal *s = pm_seal_create(key, challenge, of_proxy, at_proxy);
    struct pm_bytes got = { .bytes = NULL };

    assert_non_null(s);
    if (changed < sealed->len)
        sealed->bytes[sealed->head + changed] ^= 1;
    /* A wrong length may wait for more, which is no error; nothing that is wrong arrives. */
    (void) unseal(s, sealed->bytes + sealed->head, sealed->len, 1000, &got);
    assert_true(got.len < sizeof sent && (!got.len || !memcmp(got.bytes, sent, got.len)));
    assert_true(!got.len || changed < sealed->len);
    if (changed < sealed->len)
        sealed->bytes[sealed->head + changed] ^= 1;
    pm_bytes_free(&got);
    pm_seal_free(s);
}

static void sealed_bytes_cannot_be_changed(void **state)
{
    struct pm_seal *from = pm_seal_create(secret, challenge, challenge2, true);
    struct pm_bytes sealed = { .bytes = NULL };
    (void) state;

    if (!pm_seal_is_possible()) {
        assert_null(from);
        return;
    }
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (char) (i * i);
    assert_int_equal(pm_seal_put(from, sent, sizeof sent, &sealed), 0);
    for (size_t step = 1; step <= sealed.len; step = step * 7 + 1) {
        struct pm_seal *to = pm_seal_create(secret, challenge, challenge2, false);
        struct pm_bytes got = { .bytes = NULL };
        assert_int_equal(unseal(to, sealed.bytes + sealed.head, sealed.len, step, &got), 0);
        assert_int_equal(got.len, sizeof sent);
        assert_memory_equal(got.bytes + got.head, sent, sizeof sent);
        pm_bytes_free(&got);
        pm_seal_free(to);
    }
    for (size_t i = 0; i < sealed.len; i += i < 60 || i + 60 > sealed.len ? 1 : 4093)
        expect_refused(secret, challenge2, false, &sealed, i);
    expect_refused(other_secret, challenge2, false, &sealed, sealed.len);
    expect_refused(secret, challenge, false, &sealed, sealed.len); /* of another connection */
    expect_refused(secret, challenge2, true, &sealed, sealed.len); /* back to the sender */
    pm_bytes_free(&sealed);
    pm_seal_free(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(sealed_bytes_cannot_be_changed) };

    return UNIT_RUN(tests);
}
