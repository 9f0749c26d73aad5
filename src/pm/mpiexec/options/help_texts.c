/* help_texts.c — the sections of the help text, and so of the manual, behind the options. */
#include <stddef.h>
#include "pm/mpiexec/options/help.h"

static const struct pm_help_row hosts[] = {
    { NULL, "HOSTS is a list such as a,b:4,me@c,node[01-12]:2,[fe80::1]:4, where the number behind "
            "the colon is how many ranks the host has room for, its slots. A host without a number "
            "has one slot. When a host is named several times, its slots add up. A job may have "
            "more ranks than slots, unless its hosts have max_slots. Without -n, a program has a "
            "rank for each slot of the hosts, or -ppn ranks on each, or one rank where no hosts "
            "are given." },
    { NULL, "A file for -f has a host on each line, 'a:4', or 'a slots=4 max_slots=8 user=me "
            "arch=x86_64 binding=core'; '#' begins a comment. What is behind binding= stands for "
            "-bind-to on that host." },
    { NULL, "Without such options the hosts are those that Slurm, PBS, LSF or SGE has allocated, "
            "if mpiexec is called in an allocation." },
    { NULL, "Other hosts are reached by ssh, without a password: mpiexec calls 'ssh -x -o "
            "BatchMode=yes -o ConnectTimeout=10 HOST', with -l USER where that is given, and words "
            "of HYDRA_LAUNCHER_EXTRA_ARGS before HOST. On HOST it runs DIR/bin/mpiexec of -prefix "
            "DIR, or itself by the path that it was called by or has here. Ranks there get all "
            "variables of mpiexec but those of a host or a login, as HOME, HOSTNAME, DISPLAY and "
            "SSH_*, which they have from their login, and run in the working directory of mpiexec, "
            "or in that of -wdir. Lines that a host or ssh prints begin with the name of the "
            "host." },
    { 0 },
};

static const struct pm_help_row bindings[] = {
    { NULL, "A rank may use the CPUs that it is bound to, and no others, of those that the mask "
            "and the cgroup of mpiexec allow on its host. The ranks of a host get the cores, or "
            "what WHERE names, one after the other, and with more ranks than that from the first "
            "on again. With -map-by socket the first rank gets cores of the first socket, the "
            "second rank of the second, and so on. A rank never gets fewer CPUs than its "
            "OMP_NUM_THREADS, but with user:, which lists sets of CPUs. For a part that a machine "
            "does not have, the next larger one is taken. A rank that cannot be bound runs all the "
            "same, and a line says so." },
    { NULL, "-report-bindings prints lines such as 'rank 3 on node1: CPUs 6-7 "
            "[../..|../BB][../..|--/--]': each pair of brackets is a socket, its cores are between "
            "slashes, or bars where another NUMA node begins, and a core has a letter for each "
            "hardware thread: B when the rank is bound to it, '.' when it could be, '-' when no "
            "rank may use it." },
    { 0 },
};

static const struct pm_help_row others[] = {
    { NULL, "Options of MPICH's, Open MPI's and Intel MPI's mpiexec and of srun are known, too: "
            "what they mean is done here, or a line says that they have no effect, or what to use "
            "instead." },
    { 0 },
};

static const struct pm_help_row output[] = {
    { NULL, "Where standard output of mpiexec is a terminal, ranks find one, too, as wide as that. "
            "Elsewhere they have pipes; the MPI library then writes each line at its end, unless "
            "the program or stdbuf has chosen a buffer, and mpiexec sets "
            "GFORTRAN_UNBUFFERED_PRECONNECTED=y and PYTHONUNBUFFERED=1, unless they are set." },
    { 0 },
};

static const struct pm_help_row processes[] = {
    { NULL, "Processes that the ranks have started end with the job, in whatever session they are. "
            "mpiexec consists of two processes, mpiexec and starling-job: when one is killed, the "
            "other ends the job. When both are killed at once, the ranks end, but processes that "
            "they have started may stay." },
    { 0 },
};

static const struct pm_help_row environment[] = {
    { NULL, "Options come before these variables, which stand for them." },
    { "HYDRA_HOST_FILE", "The same as -f." },
    { "HYDRA_RMK", "The same as -rmk." },
    { "HYDRA_LAUNCHER HYDRA_BOOTSTRAP", "The same as -launcher." },
    { "HYDRA_LAUNCHER_EXEC HYDRA_BOOTSTRAP_EXEC", "The same as -launcher-exec." },
    { "HYDRA_LAUNCHER_EXTRA_ARGS HYDRA_LAUNCH_EXTRA_ARGS",
      "Words for ssh, or another launcher, before the name of the host." },
    { "HYDRA_BINDING", "The same as -bind-to." },
    { "HYDRA_MAPPING", "The same as -map-by." },
    { "HYDRA_MEMBIND", "The same as -membind." },
    { "HYDRA_TOPO_DEBUG", "Where it is not 0, the same as -report-bindings." },
    { "HYDRA_DEBUG", "Where it is not 0, the same as -v." },
    { "HYDRA_IFACE", "The same as -iface." },
    { "MPIEXEC_TIMEOUT", "The same as -timeout." },
    { "MPIEXEC_PORT_RANGE MPIEXEC_PORTRANGE MPICH_PORT_RANGE",
      "LOW:HIGH, ports at one of which mpiexec listens for proxies that srun starts; the default "
      "is any." },
    { NULL, "Each rank has PMI_RANK, its number, PMI_SIZE, the number of ranks, and, of those on "
            "its host, MPI_LOCALRANKID and MPI_LOCALNRANKS. STARLING_ and the name of a setting, "
            "which -help-settings prints, is read by the MPI library." },
    { 0 },
};

static const struct pm_help_row status[] = {
    { NULL, "The last line on standard error says which rank failed first, and why." },
    { "0", "All ranks ended with 0." },
    { "1", "The command line is wrong, the job cannot be run so, a host was lost, output cannot be "
           "written, or a rank ended between MPI_Init and MPI_Finalize." },
    { "124", "-timeout ended the job." },
    { "126, 127", "The program cannot be started; it cannot be found." },
    { "128 + N", "Signal N killed the first rank that failed, or mpiexec was told to end by it." },
    { "others", "The exit code of the first rank that failed, or the code of MPI_Abort, modulo 256 "
                "and not 0 unless that code is." },
    { 0 },
};

static const struct pm_help_row examples[] = {
    { "mpiexec -n 4 ./prog", "Four ranks on this host." },
    { "mpiexec -n 1 ./master : -n 7 ./worker x", "One job of two programs." },
    { "mpiexec -host node1:4,node2:4 -n 8 ./prog", "Four ranks on each of two hosts." },
    { "mpiexec -f hosts -ppn 1 -genv OMP_NUM_THREADS 8 ./prog",
      "One rank on each host of a file, with threads." },
    { "mpiexec ./prog", "In an allocation of Slurm: a rank for each of its tasks." },
    { "mpiexec -n 8 -bind-to core -map-by socket -report-bindings ./prog",
      "A core for each rank, from each socket in turn." },
    { "mpiexec -n 4 -l -output-filename logs ./prog",
      "Each line begins with its rank, and is in a file of the rank as well." },
    { "mpiexec -n 2 xterm -e gdb ./prog", "A debugger for each rank." },
    { 0 },
};

const struct pm_help_section pm_help_sections[] = {
    { "Other launchers", others }, { "Hosts", hosts },         { "Bindings", bindings },
    { "Output", output },          { "Processes", processes }, { "Environment", environment },
    { "Exit status", status },     { "Examples", examples },   { 0 },
};
