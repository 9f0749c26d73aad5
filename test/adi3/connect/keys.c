/* keys.c — the secret of two jobs is the same in all processes of both, and no third job has it; a
 * job without keys is reached by no network; a proof holds for its key and messages alone. */
#include <errno.h>
#include <string.h>
#include "adi3/connect/connect_impl.h"
#include "fake.h"
#include "platform/sodium.h"

static bool no_library;

int __real_os_sodium_open(void);
int __wrap_os_sodium_open(void);
int __wrap_os_sodium_open(void) { return no_library ? -ELIBACC : __real_os_sodium_open(); }

/* This process becomes one of the job with this secret. */
static void become(unsigned char secret)
{
    keys_finalize();
    memset(proc_own_job.dev.secret, secret, DEV_SECRET);
    assert_true(adi3_has_keys());
}

/* The job with this secret, as other jobs know it. */
static struct proc_job known_as(unsigned char secret)
{
    struct proc_job job = { .dev = { .id = secret, .size = 1 }, .name = "job B" };

    become(secret);
    memcpy(job.public_key, proc_own_job.public_key, PROC_KEY);
    return job;
}

static bool is_same(const struct proc_job *a, const struct proc_job *b)
{
    return !memcmp(a->dev.secret, b->dev.secret, DEV_SECRET);
}

static void secrets(void **state)
{
    (void) state;
    static const unsigned char none[DEV_SECRET];
    struct proc_job a = known_as(1), b = known_as(2), c = known_as(3), later = a, d = b, third = a;

    assert_int_equal(keys_secret(&d), MPI_SUCCESS); /* in job 3 */
    assert_int_equal(keys_secret(&third), MPI_SUCCESS);
    become(1);
    assert_int_equal(keys_secret(&b), MPI_SUCCESS);
    assert_int_equal(keys_secret(&c), MPI_SUCCESS);
    become(2);
    assert_int_equal(keys_secret(&a), MPI_SUCCESS);
    become(2); /* another process of job 2 */
    assert_int_equal(keys_secret(&later), MPI_SUCCESS);
    assert_true(is_same(&a, &b) && is_same(&a, &later) && is_same(&third, &c));
    assert_false(is_same(&a, &c) || is_same(&a, &d) || is_same(&c, &d));
    assert_true(memcmp(a.dev.secret, none, DEV_SECRET) && !a.no_secret);
    assert_true(memcmp(a.dev.secret, proc_own_job.dev.secret, DEV_SECRET));
}

/* Keys of which the secret would be known to everybody. */
static void wrong_keys(void **state)
{
    (void) state;
    struct proc_job job = { .dev = { .id = 5, .size = 1 }, .name = "job B", .public_key = { 1 } };

    become(1);
    int err = keys_secret(&job);
    assert_string_equal(adi3_error_text(err), "the key of job B is none of X25519");
    memset(job.public_key, 0xff, PROC_KEY);
    job.public_key[0] = 0xed;
    job.public_key[PROC_KEY - 1] = 0x7f; /* the prime: 0 */
    assert_int_not_equal(keys_secret(&job), MPI_SUCCESS);
}

static struct adi3_job_record record_of(uint64_t id, unsigned char secret)
{
    const struct proc_job job = known_as(secret);
    struct adi3_job_record record = { .id = id, .size = 2, .name = "job B" };

    memcpy(record.key, job.public_key, ADI3_KEY);
    return record;
}

/* A job that is known keeps its key, our own job too. */
static void impostors(void **state)
{
    (void) state;
    const uint64_t own = proc_own_job.dev.id;
    const struct adi3_job_record job = record_of(77, 2), other = record_of(77, 3);
    struct adi3_job_record ours = record_of(own, 3);

    become(1);
    assert_int_equal(adi3_job_learn(&job), MPI_SUCCESS);
    assert_int_equal(adi3_job_learn(&job), MPI_SUCCESS);
    int err = adi3_job_learn(&other);
    assert_string_equal(adi3_error_text(err),
                        "job B has another key than the one that this process knows");
    ours.size = FAKE_SIZE;
    assert_int_not_equal(adi3_job_learn(&ours), MPI_SUCCESS);
    memcpy(ours.key, proc_own_job.public_key, ADI3_KEY);
    assert_int_equal(adi3_job_learn(&ours), MPI_SUCCESS);
    adi3_job_learned(&job, false);
    adi3_job_learned(&job, false);
    assert_null(proc_job_find(77));
}

static void give_card(const struct adi3_proc *p)
{
    char text[PROC_BUSINESS_CARD];

    (void) snprintf(text, sizeof text,
                    "host:c7|fake:x|job:-%llx-%x|abi:", (unsigned long long) p->peer.job->id,
                    p->peer.rank);
    abi_write(text + strlen(text));
    assert_int_equal(proc_business_card_give(p, text), MPI_SUCCESS);
}

/* The device of these tests reaches other nodes. Returns the error of p's first message. */
static const char *refusal(const struct adi3_job_record *record)
{
    static char text[512];

    assert_int_equal(adi3_job_learn(record), MPI_SUCCESS);
    struct proc_job *job = proc_job_find(record->id);
    struct adi3_proc *p = proc_at(job->first);
    give_card(p);
    int err = proc_add(p);
    (void) snprintf(text, sizeof text, "%s", err ? adi3_error_text(err) : "");
    assert_true(!err == (p2p_upcalls.job(record->id) == &job->dev));
    adi3_job_learned(record, false);
    return text;
}

static void without_library(void **state)
{
    (void) state;
    struct adi3_job_record record = record_of(78, 2);

    become(1);
    assert_string_equal(refusal(&record), "");
    keys_finalize();
    no_library = true;
    assert_false(adi3_has_keys());
    assert_non_null(strstr(refusal(&record), "rank 0 of job B"));
    assert_non_null(strstr(refusal(&record), "this process cannot load libsodium.so.23, without"));
    no_library = false;
    memset(record.key, 0, sizeof record.key);
    assert_non_null(strstr(refusal(&record), "that job cannot load libsodium.so.23, without"));
}

static void proofs(void **state)
{
    (void) state;
    unsigned char key[ADI3_KEY] = { 7 }, sent[100] = { 1 }, received[100] = { 2 }, proof[ADI3_KEY];
    const struct adi3_proof_of of = { key, sent, received, sizeof sent },
                               back = { key, received, sent, sizeof sent };

    become(1);
    adi3_proof_make(&of, proof);
    assert_true(adi3_proof_holds(&of, proof));
    assert_false(adi3_proof_holds(&back, proof));
    unsigned char *const parts[] = { key, sent, received, proof };
    for (int i = 0; i < 4; i++)
        for (int at = 0; at < ADI3_KEY; at++) {
            parts[i][at] ^= 0x10;
            assert_false(adi3_proof_holds(&of, proof));
            parts[i][at] ^= 0x10;
        }
    assert_true(adi3_proof_holds(&of, proof));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets),   cmocka_unit_test(wrong_keys),
        cmocka_unit_test(impostors), cmocka_unit_test(without_library),
        cmocka_unit_test(proofs),
    };

    return cmocka_run_group_tests(tests, fake_setup, fake_teardown);
}
