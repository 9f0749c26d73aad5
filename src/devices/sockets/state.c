/* state.c — the state of the device, of which a process has one, and the values of its settings. */
#include "devices/sockets/sock_impl.h"

struct sock_device sock_dev = { .epoll = -1, .spare = -1 };

const char *sock_interface = "";
/* A message of this size and its header fit one segment of the loopback interface, 65483 bytes.
 * There a second segment costs more than a rendezvous (128 KiB: 94 us and 48). */
size_t sock_eager_max = 64512, sock_socket_buffer;
