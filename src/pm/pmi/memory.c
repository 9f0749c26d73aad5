/* memory.c — memory that Starling's mpiexec makes for the processes of a node.
 *
 * That of pmi_calls.h comes with the reply to init. Other memory is asked for as the value of a
 * key: an mpiexec that does not know the request has no such key. The descriptor comes with the
 * bytes of the reply. Where the connection is no UNIX socket, or another program forwards it, only
 * the bytes arrive. */
#include <errno.h>
#include <unistd.h>
#include "pm/pmi/pmi_impl.h"

int pmi_memory(uint64_t node, int *fd)
{
    char *reply;
    int passed = -1, err = pmi_check_joined();

    if (!err && pmi_client.starling) {
        pmi_client.passed = &passed;
        err = pmi_request(&reply, "get_result", "cmd=get kvsname=%s key=STARLING_memory_%016llx",
                          pmi_client.kvs, (unsigned long long) node);
        pmi_client.passed = NULL;
    }
    if (!err && (passed < 0 || pmi_rc(reply)))
        err = pmi_fail(-ENOENT, "the launcher (%s) has passed no memory", pmi_client.launcher);
    if (!err)
        *fd = passed;
    else if (passed >= 0)
        (void) close(passed);
    return err;
}

int pmi_calls_take(void)
{
    int fd = pmi_client.calls;

    pmi_client.calls = -1;
    return fd < 0 ? -ENOENT : fd;
}
