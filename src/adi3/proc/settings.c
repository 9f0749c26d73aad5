/* settings.c — the settings of processes and devices. */
#include "adi3/proc/proc_impl.h"

const char *adi3_setting_devices;
int adi3_setting_peer_timeout;
int adi3_verbose;

const struct setting proc_settings[] = {
    { "DEVICES", SETTING_STRING, &adi3_setting_devices, "",
      "Devices that may be used, separated by commas, such as self,shm; empty for all that are "
      "built in. chaos:shm is shm with the chaos device around it, for tests." },
    { "PEER_TIMEOUT", SETTING_INT, &adi3_setting_peer_timeout, "10",
      "A process on another node from which nothing comes for so long, not even the answers of its "
      "host's kernel, is lost, seconds; 0: wait for ever." },
    { "VERBOSE", SETTING_INT, &adi3_verbose, "0",
      "1: rank 0 prints in MPI_Finalize which device served which process, and why, and in "
      "MPI_Init "
      "the names here of settings of other libraries; 2: all ranks print their devices." },
    { 0 }
};
