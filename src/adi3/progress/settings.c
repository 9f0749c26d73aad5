/* settings.c — the settings of progress. */
#include "progress_impl.h"

const struct setting progress_settings[] = {
    { "ASYNC_PROGRESS", SETTING_STRING, &async_setting, "auto",
      "Whether a thread of the library moves messages while the program computes. on: always, and "
      "all calls take a lock; off: never; auto: while there is a window whose memory other "
      "processes reach by messages. The thread sleeps while there is nothing to do. With auto the "
      "calls of a program of one thread execute no atomic operation for it; where the kernel has "
      "no membarrier they execute a fence." },
    { 0 }
};
