/* query_socket.h — the names of the sockets where other programs ask running jobs about
 * themselves. */
#ifndef QUERY_SOCKET_H
#define QUERY_SOCKET_H

#include <stdbool.h>
#include <sys/types.h>

/* The beginning of the name of an abstract socket; then UID-PID. */
#define PM_QUERY_SOCKET "starling-"

enum { PM_QUERY_SOCKET_NAME = 64 };

/* query_socket.c */
void pm_query_socket_name(char name[PM_QUERY_SOCKET_NAME], uid_t uid, pid_t pid);
bool pm_query_peer_is_own(int fd); /* the other end is a process of this user */

#endif /* QUERY_SOCKET_H */
