/* pm_proxy.h — a proxy: a node whose owner is at the other end of a channel. */
#ifndef PM_PROXY_H
#define PM_PROXY_H

#include <stdbool.h>

/* The only argument of mpiexec that makes it a proxy: its channel is standard input and output, or
 * it calls mpiexec as standard input says (pm_call.h). */
#define PM_PROXY_ARGUMENT       "--starling-proxy"
#define PM_PROXY_CALLS_ARGUMENT "--starling-proxy-calls"

/* Runs a node for the owner at the other end of the channel, and returns an exit code. The process
 * is forked, and overwrites argv: see supervisor.h. version: of Starling. */
int pm_proxy(char **argv, bool calls, const char *version);

/* A relay: it starts proxies and carries their channels. Returns an exit code. */
#define PM_RELAY_ARGUMENT "--starling-relay"
int pm_relay(const char *version);

/* Moves standard input and output, which are the channel, to other numbers. -errno. */
int pm_take_channel(int *in, int *out);

#endif /* PM_PROXY_H */
