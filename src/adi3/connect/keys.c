/* keys.c — the secret of two jobs, and the proof that a leader has the key of a connection.
 *
 * Each job has a key pair of X25519, whose public key is in the record of the job. The private key
 * is computed from the job's own secret, which all its processes have. So nothing is made or sent
 * before the first connect, and each process of the one job computes the same secret with the other
 * job, whenever it learns of that. Without libsodium a job has no keys. */
#include <string.h>
#include "adi3/connect/connect_impl.h"
#include "platform/sodium.h"

enum { LABEL = 32 };

_Static_assert((int) ADI3_KEY == (int) OS_SODIUM_KEY && (int) ADI3_KEY == (int) OS_SODIUM_MAC
                   && (int) ADI3_KEY == (int) PROC_KEY && (int) ADI3_KEY == (int) DEV_SECRET,
               "keys, secrets and proofs are of one size");

static bool made;
static unsigned char private_key[ADI3_KEY];

static const char none_here[] = "this process cannot load " STARLING_SODIUM_SONAME
                                ", without which jobs can connect only on one node",
                  none_there[] = "that job cannot load " STARLING_SODIUM_SONAME
                                 ", without which jobs can connect only on one node";

bool adi3_has_keys(void)
{
    static const unsigned char label[LABEL] = "Starling key of a job";

    assert(adi3_lock_held());
    if (made)
        return true;
    if (os_sodium_open())
        return false;
    (void) os_sodium.auth(private_key, label, LABEL, proc_own_job.dev.secret); /* cannot fail */
    made = !os_sodium.public_key(proc_own_job.public_key, private_key);
    return made;
}

void keys_finalize(void)
{
    made = false;
    memset(private_key, 0, sizeof private_key);
    memset(proc_own_job.public_key, 0, sizeof proc_own_job.public_key);
}

int keys_secret(struct proc_job *job)
{
    static const unsigned char none[ADI3_KEY], label[LABEL] = "Starling secret of two jobs";
    const unsigned char *mine = proc_own_job.public_key, *theirs = job->public_key;
    bool first = memcmp(mine, theirs, ADI3_KEY) < 0;
    unsigned char text[3 * ADI3_KEY];

    job->no_secret = !adi3_has_keys()                  ? none_here
                     : !memcmp(theirs, none, ADI3_KEY) ? none_there
                                                       : NULL;
    if (job->no_secret)
        return MPI_SUCCESS;
    if (os_sodium.shared_key(text, private_key, theirs))
        return adi3_error(MPI_ERR_OTHER, "the key of %s is none of X25519", job->name);
    memcpy(text + ADI3_KEY, first ? mine : theirs, ADI3_KEY);
    memcpy(text + 2 * ADI3_KEY, first ? theirs : mine, ADI3_KEY);
    (void) os_sodium.auth(job->dev.secret, text, sizeof text, label); /* cannot fail */
    return MPI_SUCCESS;
}

/* ---- proofs ---------------------------------------------------------------------------------- */

/* What a proof is the MAC of. Every part has a fixed length, so that different messages give
 * different texts. */
struct proof_text {
    unsigned char label[LABEL], sent[ADI3_KEY], received[ADI3_KEY];
};

static struct proof_text text_of(const struct adi3_proof_of *of)
{
    struct proof_text text = { .label = "Starling proof of a leader" };

    (void) os_sodium.auth(text.sent, of->sent, of->len, of->key);
    (void) os_sodium.auth(text.received, of->received, of->len, of->key);
    return text;
}

void adi3_proof_make(const struct adi3_proof_of *of, unsigned char proof[ADI3_KEY])
{
    const struct proof_text text = text_of(of);

    (void) os_sodium.auth(proof, (const unsigned char *) &text, sizeof text, of->key);
}

bool adi3_proof_holds(const struct adi3_proof_of *of, const unsigned char proof[ADI3_KEY])
{
    const struct proof_text text = text_of(of);

    return !os_sodium.verify(proof, (const unsigned char *) &text, sizeof text, of->key);
}
