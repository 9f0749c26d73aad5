/* host_id.c — the numbers by which hosts are told apart. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "devices/sockets/sock_impl.h"

/* The first 64 bits of the random boot id; 0 when there is none. */
uint64_t sock_host_id(void)
{
    char text[40] = "";
    uint64_t id = 0;
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    (void) close(fd);
    for (ssize_t i = 0, d = 0; i < n && d < 16; i++) {
        int c = text[i] | 32;
        bool letter = c >= 'a' && c <= 'f';
        if (letter || (c >= '0' && c <= '9')) {
            id = id << 4 | (uint64_t) (letter ? c - 'a' + 10 : c - '0');
            d++;
        }
    }
    return id;
}

uint64_t sock_net_id(void)
{
    struct stat s;

    return stat("/proc/self/ns/net", &s) ? 0 : (uint64_t) s.st_ino;
}
