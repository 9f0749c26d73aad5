/* membarrier.c — a system call that is a memory barrier in all processes, so that senders need
 * none. */
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "platform/os.h"

bool os_membarrier_init(void)
{
    return !syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
}

void os_membarrier(void)
{
    (void) syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
    atomic_thread_fence(memory_order_seq_cst); /* also on a kernel without membarrier */
}
