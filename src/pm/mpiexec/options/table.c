/* table.c — the options of mpiexec, with the spellings of the MPI standard, MPICH and Open MPI. */
#include "pm/mpiexec/options/option.h"

const struct pm_option pm_options[] = {
    { "n np c ntasks", "N", PM_PROGRAM, pm_opt_count,
      "Start N processes of the program; the default is 1, or one for each slot of the hosts. "
      "-n4 is -n 4." },
    { "wdir wd cwd chdir", "DIR", PM_PROGRAM, pm_opt_wdir, "Run the program in directory DIR." },
    { "path", "DIRS", PM_PROGRAM, pm_opt_path,
      "Search the program in DIRS, separated by colons, instead of PATH, and then in the current "
      "directory." },
    { "host H", "HOSTS", PM_PROGRAM, pm_opt_host,
      "Run the program on these hosts, separated by commas; see Hosts." },
    { "soft", "NUMBERS", PM_PROGRAM, pm_opt_soft,
      "Start the largest of these NUMBERS of processes that is at most N of -n and that fits; for "
      "example 1,2,4 or 2:10 or 2:10:2." },
    { "arch", "NAME", PM_PROGRAM, pm_opt_arch,
      "Run the program only on hosts of this architecture, as uname -m prints it." },
    { "file", "FILE", PM_PROGRAM, pm_opt_file,
      "Read options for the program from FILE, which has one on each line, as 'wdir=/tmp'." },
    { "env", "NAME VALUE", PM_PROGRAM, pm_opt_env,
      "Set an environment variable for this program; NAME=VALUE is possible, too." },
    { "genv", "NAME VALUE", PM_JOB, pm_opt_genv,
      "Set an environment variable for all programs; NAME=VALUE is possible, too." },
    { "x", "NAME[=VALUE]", PM_PROGRAM, pm_opt_export,
      "Set an environment variable for this program; without VALUE, pass the one of mpiexec." },
    { "envlist", "NAMES", PM_PROGRAM, pm_opt_envlist,
      "Pass only these environment variables, separated by commas, to this program." },
    { "genvlist", "NAMES", PM_JOB, pm_opt_genvlist,
      "Pass only these environment variables to all programs." },
    { "envall", "", PM_PROGRAM, pm_opt_envmode, "Pass all environment variables to this program." },
    { "genvall", "", PM_JOB, pm_opt_genvmode,
      "Pass all environment variables to all programs; the default." },
    { "envnone", "", PM_PROGRAM, pm_opt_envmode, "Pass no environment variables to this program." },
    { "genvnone", "", PM_JOB, pm_opt_genvmode, "Pass no environment variables to any program." },
    { "set", "NAME=VALUE", PM_JOB, pm_opt_set,
      "Change a setting of the MPI library; -help-settings lists all settings." },
    { "configfile app", "FILE", PM_JOB, pm_opt_configfile,
      "Read programs and their options from FILE, one program on each line." },
    { "l prepend-rank label", "", PM_JOB, pm_opt_label, "Put [rank] before each line of output." },
    { "prepend-pattern", "TEXT", PM_JOB, pm_opt_prefix,
      "Put TEXT before each line of output; %r is the rank, %h its host, %p the number of that, %s "
      "stdout or stderr, %t the time, %T the date and the time, %g the job: 0, or of those that "
      "ranks "
      "spawn 1 and so on." },
    { "tag-output", "", PM_JOB, pm_opt_tag,
      "Put [1,rank]<stdout>: before each line of output, as Open MPI does; or <stderr>." },
    { "timestamp-output", "", PM_JOB, pm_opt_timestamp,
      "Put the date and the time at which mpiexec writes it before each line of output." },
    { "output", "WORDS", PM_JOB, pm_opt_output,
      "Words of Open MPI, separated by commas: tag, timestamp and merge-stderr-to-stdout stand for "
      "-tag-output, -timestamp-output and -merge-stderr-to-stdout, rank for -l, and dir=DIR for "
      "-output-filename DIR, with :nocopy behind it or not. A directory with a slash, as ./DIR, is "
      "-output-directory." },
    { "output-directory", "DIR", PM_JOB, pm_opt_outdir,
      "Write output to files in the directory DIR, which must be new or empty: "
      "DIR/HOST/rank.N.out and rank.N.err." },
    { "output-filename", "DIR", PM_JOB, pm_opt_outname,
      "As -output-directory, but show the output, too, as Open MPI does; with DIR:nocopy the files "
      "alone get it." },
    { "merge-stderr-to-stdout", "", PM_JOB, pm_opt_merge,
      "Write standard error of the ranks to where their standard output goes." },
    { "output-from", "RANKS", PM_JOB, pm_opt_output_from,
      "Show the output of these ranks only, as 0,4-7. Files get the output of all." },
    { "outfile-pattern outfile", "FILE", PM_JOB, pm_opt_outfile,
      "Write standard output to FILE, whose name may have the patterns of -prepend-pattern." },
    { "errfile-pattern errfile", "FILE", PM_JOB, pm_opt_errfile,
      "Write standard error to FILE, whose name may have the patterns of -prepend-pattern." },
    { "stdout-pty", "yes|no", PM_JOB, pm_opt_stdout_pty,
      "Let the ranks write standard output to pseudo-terminals, or to pipes. The default is yes "
      "where mpiexec shows it on a terminal and a host has at most 256 ranks." },
    { "stdin s", "RANK", PM_JOB, pm_opt_stdin,
      "Give standard input to RANK instead of rank 0, to all ranks, or to none; the others read "
      "end-of-file. With all, each gets a copy, as fast as the slowest reads it." },
    { "timeout", "SECONDS", PM_JOB, pm_opt_timeout,
      "End the job when it runs for more than SECONDS." },
    { "grace", "SECONDS", PM_JOB, pm_opt_grace,
      "Wait SECONDS for processes that have been told to end, then kill them. The default is 25 "
      "after SIGTERM and SIGHUP to mpiexec, 5 after SIGINT, and 1 after a failure, -timeout or the "
      "end of the ranks. A second signal kills them at once." },
    { "print-all-exitcodes", "", PM_JOB, pm_opt_exit_codes,
      "When the job has ended, print a line with the exit codes of all ranks." },
    { "backtrace", "", PM_JOB, pm_opt_backtrace,
      "Let a rank that dies of SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT print the address and "
      "the functions that it was in: the same as -set BACKTRACE=yes. Static functions have no "
      "names: addr2line finds them." },
    { "disable-auto-cleanup enable-recovery", "", PM_JOB, pm_opt_survive,
      "Let the other ranks go on when a rank or a host dies; the exit code is that of the first "
      "failure. The PMI key PMI_dead_processes has the ranks that have died." },
    { "usize", "N", PM_JOB, pm_opt_usize,
      "Set MPI_UNIVERSE_SIZE to N, SYSTEM (the slots of all hosts, as without this option) or "
      "INFINITE (it has no value)." },
    { "nameserver", "FILE", PM_JOB, pm_opt_nameserver,
      "Let MPI_Publish_name and MPI_Lookup_name use the server of names of this FILE, for jobs of "
      "several mpiexecs. As -set NAMESERVER=FILE, but other hosts need not have FILE." },
    { "serve-names", "FILE", PM_JOB, pm_opt_serve_names,
      "Be a server of names, until SIGINT or SIGTERM: FILE, which is made, says where it is, and "
      "all that may read it may use the server." },
    { "json", "FILE", PM_JOB, pm_opt_json,
      "When the job has ended, describe it in FILE: the command, hosts, ranks and the cause; - is "
      "standard output." },
    { "v verbose debug", "", PM_JOB, pm_opt_verbose,
      "Print which processes are started and how they end." },
    { "version V info", "", PM_JOB, pm_opt_version, "Print the version and exit." },
    { "help h ?", "", PM_JOB, pm_opt_help, "Print this text and exit." },
    { "help-settings", "", PM_JOB, pm_opt_help_settings,
      "Print the settings of the MPI library and exit." },
    { "jobs", "", PM_JOB, pm_opt_jobs,
      "Print a line for each of your jobs that this host's mpiexec runs, and exit." },
    { "f hostfile machinefile default-hostfile", "FILE", PM_JOB, pm_opt_hostfile,
      "Run on the hosts in FILE, one on each line; see Hosts." },
    { "hosts hostlist nodelist w", "HOSTS", PM_JOB, pm_opt_hosts,
      "Run all programs without -host on these hosts, separated by commas; see Hosts." },
    { "rmk", "NAME", PM_JOB, pm_opt_manager,
      "Run on the hosts that a resource manager has allocated: slurm, pbs, lsf or sge; the default "
      "is the one that there is. With user, allocations are ignored." },
    { "ppn perhost npernode ntasks-per-node N", "N", PM_JOB, pm_opt_per_host,
      "Start N processes on a host before the next host, whatever the slots are. -N is Open MPI's; "
      "srun's is a number of hosts." },
    { "pernode", "", PM_JOB, pm_opt_one_per_host, "The same as -ppn 1." },
    { "rr bynode", "", PM_JOB, pm_opt_by_node, "The same as -map-by node." },
    { "strict-slots nooversubscribe", "", PM_JOB, pm_opt_strict,
      "Refuse a job that has more ranks than its hosts have slots." },
    { "order-nodes", "ORDER", PM_JOB, pm_opt_order,
      "Take the hosts by the number of their slots, ASCENDING (or UP) or DESCENDING (or DOWN)." },
    { "skip-launch-node nolocal", "", PM_JOB, pm_opt_skip_here,
      "Start no ranks on the node of mpiexec." },
    { "localhost", "NAME", PM_JOB, pm_opt_own_name,
      "NAME, in lists of hosts, is the node of mpiexec, too." },
    { "oversubscribe", "", PM_JOB, pm_opt_ignore,
      "Accepted without effect: a job may always have more ranks than cores." },
    { "allow-run-as-root", "", PM_JOB, pm_opt_ignore,
      "Accepted without effect: root may always run jobs." },
    { "bind-to binding", "WHERE", PM_JOB, pm_opt_bind_to,
      "Bind each rank to CPUs: to a hwthread, core, l1cache, l2cache, l3cache, numa, socket or the "
      "machine, or to several, as core:2; to those of user:0+2,4-7,...; by rr, to one CPU after "
      "the other; or to none, the default. See Bindings." },
    { "map-by", "WHERE", PM_JOB, pm_opt_map_by,
      "Place ranks by slot: as many on a host as it has slots, then on the next, which is the "
      "default; by node: one on each host in turn; or by ppr:N:node, the same as -ppn N. With "
      "-bind-to, take the CPUs of each rank from the next hwthread, core, l1cache, l2cache, "
      "l3cache, numa or socket, or from every second one, as core:2; with ppr:N: before it, the "
      "next for each N ranks; with :pe=N behind it, bind each rank to N cores. See Bindings." },
    { "cpus-per-proc cpus-per-rank cpus-per-task depth", "N", PM_JOB, pm_opt_cpus_per_rank,
      "Bind each rank to N cores, as :pe=N of -map-by does." },
    { "npersocket ntasks-per-socket", "N", PM_JOB, pm_opt_per_socket,
      "The same as -map-by ppr:N:socket." },
    { "report-bindings", "", PM_JOB, pm_opt_report_bindings,
      "Print what CPUs each rank is bound to; see Bindings." },
    { "membind", "POLICY", PM_JOB, pm_opt_membind,
      "Place memory by none or firsttouch: near the CPU that uses it first. No other is "
      "supported." },
    { "iface", "NAME", PM_JOB, pm_opt_iface,
      "The same as -set SOCKETS_INTERFACE=NAME: MPI messages between hosts use this network "
      "interface, address or network." },
    { "initial-errhandler", "NAME", PM_JOB, pm_opt_errhandler,
      "The error handler that MPI begins with: mpi_errors_are_fatal; no other is supported." },
    { "mca gmca", "NAME VALUE", PM_JOB, pm_opt_mca,
      "A parameter of Open MPI: odls_base_sigkill_timeout is the same as -grace; others are "
      "ignored." },
    { "launcher bootstrap", "NAME", PM_JOB, pm_opt_launcher,
      "Reach other hosts by ssh, rsh, srun, blaunch or qrsh. The default is that of the resource "
      "manager that allocates the hosts, srun for slurm, blaunch for lsf and qrsh for sge; "
      "otherwise "
      "ssh. With fork, all hosts are this one, under any names." },
    { "launcher-exec bootstrap-exec", "PROGRAM", PM_JOB, pm_opt_launcher_exec,
      "Call PROGRAM instead of the launcher, with the same arguments." },
    { "prefix", "DIR", PM_JOB, pm_opt_tree,
      "On all hosts, take Starling from the directory DIR it is installed in, and put DIR/lib "
      "first in LD_LIBRARY_PATH." },
    { "branch-count", "N", PM_JOB, pm_opt_direct_hosts,
      "Reach up to N hosts directly, and others through them; the default is 64." },
    { "node-timeout", "SECONDS", PM_JOB, pm_opt_node_timeout,
      "End the job when a host does not answer for SECONDS; the default is 10, and 0 is for "
      "ever." },

    /* Other spellings of options above. */
    { "machine machines machinelist hosts-group", "HOSTS", PM_JOB, pm_opt_hosts, NULL },
    { "grr", "N", PM_JOB, pm_opt_per_host, NULL },
    { "ppr", "N:PART", PM_JOB, pm_opt_ppr, NULL },
    { "byslot bycore bysocket byhwthread bynuma", "", PM_JOB, pm_opt_map_by_object, NULL },
    { "bind-to-core bind-to-socket bind-to-none", "", PM_JOB, pm_opt_bind_to_object, NULL },
    { "continuous recoverable", "", PM_JOB, pm_opt_survive, NULL },
    { "debug-daemons debug-devel debug-bootstrap leave-session-attached", "", PM_JOB,
      pm_opt_verbose, NULL },
    { "maxtime", "SECONDS", PM_JOB, pm_opt_timeout, NULL },
    { "universe_size", "N", PM_JOB, pm_opt_usize, NULL },
    { "config", "FILE", PM_JOB, pm_opt_configfile, NULL },

    /* Options of other launchers that change nothing here: most ask for what is so anyway. */
    { "quiet q Q disable-recovery enable-auto-cleanup ordered-output show-progress overcommit O "
      "noprefix no-app-prefix cleanup noconf",
      "", PM_JOB, pm_opt_ignore, NULL },
    { "novm hetero-nodes do-not-resolve use-regexp fwd-mpirun-port enable-instant-on-support "
      "use-app-topology no-ready-msg",
      "", PM_JOB, pm_opt_ignore, NULL },
    { "disable-x profile hybrid-hosts disable-hostname-propagation enable-hostname-propagation", "",
      PM_JOB, pm_opt_ignore, NULL },
    { "demux", "D", PM_JOB, pm_opt_ignore, NULL },
    { "topolib", "T", PM_JOB, pm_opt_ignore, NULL },

    /* The same, but some jobs may need them: mpiexec warns. */
    { "use-hwthread-cpus report-state-on-timeout get-stack-traces report-child-jobs-separately "
      "silent-abort pmi-aggregate pmi-noaggregate debug-daemons-file",
      "", PM_JOB, pm_opt_warn, NULL },
    { "rank-by", "WHERE", PM_JOB, pm_opt_warn, NULL },
    { "memory-alloc-kinds", "KINDS", PM_JOB, pm_opt_warn, NULL },
    { "personality gpu-support pmi-connect delegate", "NAME", PM_JOB, pm_opt_warn, NULL },
    { "max-vm-size spawn-timeout", "N", PM_JOB, pm_opt_warn, NULL },
    { "omca gomca prtemca gprtemca pmixmca gpmixmca", "NAME VALUE", PM_JOB, pm_opt_warn, NULL },
    { 0 },
};
