/* query_socket.h — the names of the sockets where other programs ask running jobs about
 * themselves. */
#ifndef QUERY_SOCKET_H
#define QUERY_SOCKET_H

#include <sys/types.h>

#define PM_DOOR "starling-" /* the beginning of the name of an abstract socket; then UID-PID */

enum { PM_DOOR_NAME = 64 };
void pm_door_name(char name[PM_DOOR_NAME], uid_t uid, pid_t pid); /* query_socket.c */

#endif /* QUERY_SOCKET_H */
