/* query_socket.h — the names of the sockets where other programs ask running jobs about
 * themselves. */
#ifndef QUERY_SOCKET_H
#define QUERY_SOCKET_H

#include <sys/types.h>

#define PM_QUERY_SOCKET                                                                            \
    "starling-" /* the beginning of the name of an abstract socket; then UID-PID */

enum { PM_QUERY_SOCKET_NAME = 64 };
/* query_socket.c */
void pm_query_socket_name(char name[PM_QUERY_SOCKET_NAME], uid_t uid, pid_t pid);

#endif /* QUERY_SOCKET_H */
