/* pm_proxy.h — a proxy: a node whose owner is at the other end of a channel. */
#ifndef PM_PROXY_H
#define PM_PROXY_H

/* The only argument of mpiexec that makes it a proxy. */
#define PM_PROXY_ARGUMENT "--starling-proxy"

/* Runs a node for the owner at the other end of standard input and output, and returns an exit
 * code. The process is forked, and overwrites argv: see supervisor.h. version: of Starling. */
int pm_proxy(char **argv, const char *version);

#endif /* PM_PROXY_H */
