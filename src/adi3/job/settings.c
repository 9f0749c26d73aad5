/* settings.c — ADI3's own settings, and the tables of the devices beside them. */
#include "adi3_impl.h"
#include "setting.h"

const char *adi3_setting_devices;
size_t proto_credit;
int adi3_setting_peer_timeout;

static const struct setting own[] = {
    { "DEVICES", SETTING_STRING, &adi3_setting_devices, "",
      "Devices that may be used, parted by commas, such as self,shm; empty for all that are built "
      "in. chaos:shm is shm with the chaos device around it, for tests." },
    { "EAGER_CREDIT", SETTING_SIZE, &proto_credit, "0",
      "Bytes of messages that nobody has received yet which one sender may leave at a receiver; "
      "beyond it, it waits until they are asked for. 0: 64m for all senders together, but at least "
      "256k and at most 4m for each." },
    { "ASYNC_PROGRESS", SETTING_BOOL, &adi3_async, "no",
      "Whether a thread of the library moves messages while the program computes; it sleeps while "
      "there is nothing to do, and all calls then take a lock." },
    { "SHARED_COLLECTIVES", SETTING_BOOL, &shmcoll_wanted, "yes",
      "Whether blocking collective operations of processes of one node go through memory that "
      "these share, where that is faster; no: through messages. What the first process of a "
      "communicator says counts." },
    { "PEER_TIMEOUT", SETTING_INT, &adi3_setting_peer_timeout, "10",
      "A process on another node from which nothing comes for so long, not even the answers of its "
      "host's kernel, is lost, seconds; 0: wait for ever." },
    { "CHECK", SETTING_STRING, &check_setting, "basic",
      "Which mistakes are looked for beside wrong arguments. basic: those that cost next to "
      "nothing; collective calls that differ fail, and one line warns of a ready send that came "
      "before its receive. strict: such a receive fails, and so do calls with buffers that are not "
      "mapped, which each asks the kernel about, and predefined operations on datatypes that other "
      "libraries take and the standard does not. off: none." },
    { "WTIME_GLOBAL", SETTING_BOOL, &adi3_wtime_global, "no",
      "Whether MPI_Wtime is the same clock in all processes, that of rank 0: MPI_Init measures "
      "those of other nodes, a few ms each. STARLING_VERBOSE=1 tells how exactly, and how far they "
      "have drifted apart since. Must be the same in all processes." },
    { "VERBOSE", SETTING_INT, &adi3_verbose, "0",
      "1: rank 0 tells in MPI_Finalize which device served which process, and why, and in MPI_Init "
      "what settings of other libraries are called here; 2: all tell of their devices." },
    { 0 }
};

enum { MAX_TABLES = 2 + 8 };

const struct setting *const *adi3_settings(void)
{
    static const struct setting *table[MAX_TABLES];
    int n = 0;

    table[n++] = own;
    for (int i = 0; dev_table[i] && n < MAX_TABLES - 1; i++)
        if (dev_table[i]->settings)
            table[n++] = dev_table[i]->settings;
    table[n] = NULL;
    return table;
}
