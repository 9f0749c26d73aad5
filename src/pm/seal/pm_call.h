/* pm_call.h — connections to a program that listens, of others that know its secret: proxies
 * connect to mpiexec because what started them gives them no channel, and processes to a server of
 * names.
 *
 * What they need is one line: "starling SECRET PORT ADDRESS...", the secret in hexadecimal digits,
 * the addresses numeric. Then, over a connection:
 *
 *     it       32 bytes: its challenge
 *     caller   32 bytes: its challenge; then sealed: "NAME\n", of a proxy the host that it is on
 *     it       the header of its sealed stream, which says that the call is accepted
 *     both     sealed: what this is for
 */
#ifndef PM_CALL_H
#define PM_CALL_H

#include <stdint.h>
#include <sys/socket.h>
#include "pm/seal/pm_seal.h"

enum { PM_CALL_LINE = 2048, PM_CALL_NAME = 256, PM_CALL_ADDRESSES = 16 };

struct pm_callee { /* what the line says */
    unsigned char secret[PM_SECRET];
    struct sockaddr_storage of[PM_CALL_ADDRESSES];
    socklen_t len[PM_CALL_ADDRESSES];
    int count;
};
int pm_call_parse(char *line, struct pm_callee *to); /* changes the line: 0, -EBADMSG */

/* Reads it from a file, which must be this user's and no other's. It is empty when the file is,
 * which a program that listens may still be about to write. -errno, with a text in why. */
int pm_call_read(const char *file, char line[PM_CALL_LINE + 1], char *why, size_t len);

struct pm_caller {
    const char *name; /* of this program, without a newline */
    const char *whom; /* it calls, for texts: "mpiexec" */
    uint64_t end_ns;  /* until then */
};
/* Connects. Returns the connection, which does not block, and its seal, or -errno with a text such
 * as "cannot connect to mpiexec: Connection refused" in why. */
int pm_call_to(const struct pm_callee *to, const struct pm_caller *caller, struct pm_seal **seal,
               char *why, size_t len);
int pm_call_ms_until(uint64_t end_ns); /* for poll() */

#endif /* PM_CALL_H */
