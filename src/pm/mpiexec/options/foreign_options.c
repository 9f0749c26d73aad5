/* foreign_options.c — options of other launchers that mpiexec does not have, and what to use
 * instead: of MPICH's hydra and its forerunners, Open MPI, Intel MPI, MVAPICH, Slurm's srun, Cray's
 * aprun and LAM. Ignoring them would surprise. */
#include <string.h>
#include "pm/mpiexec/options/option.h"

static const struct {
    const char *names, *instead;
} foreign[] = {
    { "rankmap rankfile rf",
      "place ranks by -map-by, or name the hosts of each program: -host a -n 2 prog : -host b "
      "prog" },
    { "ompi-server",
      "-nameserver FILE names the file of a server that mpiexec --serve-names FILE is; within one "
      "mpiexec MPI_Publish_name needs none" },
    { "pmi-port", "programs reach PMI through the descriptor PMI_FD, which needs no port" },
    { "mpi pmi pmix pmi2",
      "leave it out: programs get PMI 1 and 2. For PMIx start them by srun --mpi=pmix or Open "
      "MPI's mpirun" },
    { "pmi_args", "a program that is called without mpiexec is a job of its own" },
    { "dvm dvm-uri hnp system-server system-server-first system-server-only daemonize "
      "report-uri report-events keepalive set-sid num-connect-retries wait-to-connect "
      "namespace nspace pid",
      "leave it out: mpiexec needs no server" },
    { "report-pid", "mpiexec -jobs prints the jobs that run, and -json FILE has the processes" },
    { "gdb gdba gdb-ia idb idba tv tva tvsu debugger dbg stop-on-exec stop-in-init stop-in-app "
      "output-proctable",
      "call the debugger for each rank, as 'xterm -e gdb prog' instead of 'prog', or attach it "
      "to the processes that -v names" },
    { "xterm", "call it for each rank, as 'xterm -hold -e prog' instead of 'prog'" },
    { "gtool gtoolfile valgrind strace",
      "put the tool before the program, or before that of some ranks: -n 1 valgrind -q prog : "
      "-n 3 prog" },
    { "trace itac trace-imbalance trace-collectives trace-pt2pt aps mps vtune",
      "it needs Intel's tool: put that before the program, as 'aps prog', or let -genv "
      "LD_PRELOAD name a library that uses PMPI_" },
    { "check_mpi",
      "arguments are checked anyway; -set CHECK_LEAKS=yes lists what is not freed, and mpiexec "
      "-help-settings has more" },
    { "tune am tune-file paramfile",
      "-set NAME=VALUE, or -genv STARLING_SETTINGS FILE for a file of settings; see "
      "-help-settings" },
    { "ofi OFI ib IB rdma RDMA psm PSM psm2 PSM2 ofa OFA dapl DAPL mx MX tmi TMI shm tcp mxm "
      "MXM ucx UCX pami PAMI",
      "-set DEVICES=self,shm,libfabric or self,shm,sockets says how messages travel; the "
      "default finds that out by itself" },
    { "ilp64 static_mpi", "it is for the compiler: mpiexec runs programs as they are linked" },
    { "gpus-per-proc gpu-subdevs-per-proc g gpu-bind gpus-per-task ntasks-per-gpu nogpu gpu",
      "start the program by a script that sets CUDA_VISIBLE_DEVICES, or what the GPU needs, "
      "from MPI_LOCALRANKID" },
    { "enable-x x11", "HYDRA_LAUNCHER_EXTRA_ARGS=-X lets ssh forward X" },
    { "bootstrap-exec-args launcher-exec-args",
      "HYDRA_LAUNCHER_EXTRA_ARGS=... has words for the launcher" },
    { "rsh ssh", "-launcher ssh or -launcher rsh" },
    { "launch-agent app-prefix", "-prefix DIR names the Starling of the hosts" },
    { "tmpdir set-cwd-to-session-dir D",
      "-genv TMPDIR DIR names the directory for temporary files, and -wdir DIR the working "
      "directory" },
    { "preload-binary preload-files bcast",
      "copy the files to the hosts before, as 'scp prog node1:dir/', or keep them on a shared "
      "file system" },
    { "do-not-launch dryrun",
      "mpiexec cannot pretend: start 'hostname' instead of 'prog', or use -v" },
    { "display display-map display-devel-map display-diffable-map display-topo "
      "display-allocation display-devel-allocation print-rank-map",
      "-v prints the process of each rank, -report-bindings its host and CPUs, and -json FILE "
      "describes the job" },
    { "xml xml-file parsable parseable exitinfo ecfn",
      "-json FILE describes the job, -print-all-exitcodes prints how each rank ended, "
      "-prepend-pattern marks its lines" },
    { "o e error", "-outfile-pattern FILE and -errfile-pattern FILE, where %r is the rank, or "
                   "-output-directory DIR" },
    { "i input nostdin allstdin",
      "mpiexec has standard input as any program: mpiexec ... <FILE; -stdin says which ranks "
      "get it: one, none or all" },
    { "u unbuffered pty stream-buffering line-buffer",
      "MPI programs show each line at once; -stdout-pty=yes gives others a terminal, where they do "
      "so, too" },
    { "index-argv-by-rank", "the environment variable PMI_RANK is the rank" },
    { "max-restarts",
      "a rank that has died is not started again; with -disable-auto-cleanup the others go on" },
    { "with-ft runtime-options rtos no-kill k",
      "with -disable-auto-cleanup the other ranks go on when one dies; there are no "
      "MPIX_Comm_shrink and the like" },
    { "kill-on-bad-exit K abort-on-failure", "leave it out: the job ends when a rank fails" },
    { "ckpointlib ckpoint ckpoint-prefix ckpoint-num ckpoint-interval ckpoint-tmp",
      "a program has to write its own checkpoints" },
    { "forward-signals",
      "leave it out: SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2 and SIGWINCH go to all ranks" },
    { "signal", "kill -USR1 and the process of mpiexec signals all ranks" },
    { "cpu-set cpu-list slot-list",
      "-bind-to user:0,1 binds to these CPUs, and 'taskset -c 0,1 mpiexec' gives the job no "
      "others" },
    { "cpu-bind mem-bind cc",
      "-bind-to none, core, socket, numa, hwthread, or user:0,1 for CPUs by number" },
    { "distribution m ntasks-per-core threads-per-core hint cartofile cf",
      "-map-by says how ranks are placed, and -bind-to to which CPUs they are bound" },
    { "nodes relative exclude",
      "name the hosts by -hosts or -f; -ppn N says how many ranks each has" },
    { "exclusive overlap partition p account A job-name J qos mem mem-per-cpu gres gpus "
      "gpus-per-node constraint reservation begin dependency nice",
      "it is about the allocation: give it to sbatch, salloc or srun" },
    { "d", "-v prints what is started and how it ends; -cpus-per-proc N gives each rank N cores" },
    { "t time",
      "-timeout SECONDS limits the job; the time of an allocation is for sbatch or salloc" },
    { "multi-prog",
      "put the programs into a file for -configfile, or on the command line with ':' between "
      "them" },
    { "export export-all",
      "all variables are passed; -genv NAME VALUE sets one, and -genvlist NAMES passes some "
      "only" },
    { "genvexcl envexcl genvuser envuser",
      "-genvlist or -envlist with the names of those to pass" },
    { "gn gnp gwdir gpath ghost gsoft garch", "give the option without the g to each program" },
    { "umask gumask",
      "call umask before mpiexec, or in the program: sh -c 'umask 077; exec prog'" },
    { "legacy dpm ssi lamd nw nger sigs nsigs homogeneous smpiargs entry aff comm",
      "no option of Starling is like it, and most jobs need none" },
};

const char *pm_option_instead(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (pm_option_has_name(foreign[i].names, name, len))
            return foreign[i].instead;
    return NULL;
}
