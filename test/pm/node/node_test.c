/* node_test.c — a node without a job: commands, and the events that answer them. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "pm/node/loop.h"
#include "platform/os.h"
#include "owner.h"
#include "pm/pmi/pmi_calls.h"

static void starts_and_reports(void)
{
    start("echo $PMI_RANK $MPI_LOCALRANKID $MPI_LOCALNRANKS $A; echo err >&2; exit 3",
          PM_HOLD_LINES, PM_INPUT_NONE);
    start("kill -9 $$", PM_HOLD_LINES, PM_INPUT_NONE);
    finish();
    CHECK(!strcmp(seen[0].text[PM_OUT], "100 0 4 b\n"));
    CHECK(!strcmp(seen[0].text[PM_ERR], "err\n"));
    CHECK(WIFEXITED(seen[0].status) && WEXITSTATUS(seen[0].status) == 3);
    CHECK(WIFSIGNALED(seen[1].status) && WTERMSIG(seen[1].status) == SIGKILL);
    for (int i = 0; i < 2; i++)
        CHECK(seen[i].exited && seen[i].output_ended[PM_OUT] && seen[i].output_ended[PM_ERR]);
}

static void refuses_what_it_cannot_run(void)
{
    struct pm_executable x = *script("true");
    char *const missing[] = { "pm_no_such_program", NULL }, *const directory[] = { "/", NULL };

    x.argv = missing;
    prepare(&x);
    CHECK(refused && refusal.what == PM_NO_PROGRAM && refusal.err == -ENOENT);
    x.argv = directory;
    prepare(&x);
    CHECK(refused && refusal.what == PM_NO_PROGRAM && refusal.err == -EISDIR);
    x = *script("true");
    x.wdir = "/nonexistent";
    prepare(&x);
    CHECK(refused && refusal.what == PM_NO_DIRECTORY && refusal.err == -ENOENT);
    x.wdir = "/dev/null";
    prepare(&x);
    CHECK(refused && refusal.what == PM_NO_DIRECTORY && refusal.err == -ENOTDIR);
    ready = refused = false;
    pm_node_prepare(node, &(struct pm_plan) { .executable = script("true"),
                                              .executables = 1,
                                              .processes = 1,
                                              .files_of_owner = (size_t) 1 << 40 });
    CHECK(refused && refusal.what == PM_FEW_FILES && refusal.files > (uint64_t) 1 << 40);
    start("true", PM_HOLD_LINES, PM_INPUT_NONE); /* it goes on */
    finish();
}

/* Each script prints the second half of a line when it gets input. */
static void holds_lines(void)
{
    static const enum pm_hold how[] = { PM_HOLD_LINES, PM_HOLD_PROMPTS, PM_HOLD_NOTHING,
                                        PM_HOLD_QUESTIONS };

    for (int i = 0; i < 4; i++) {
        start("printf a; echo up >&2; read x; printf 'b\\nc'", how[i], PM_INPUT_FORWARDED);
        while (!seen[i].len[PM_ERR] || (i && !seen[i].len[PM_OUT]))
            pm_loop_once(true);
        CHECK(seen[i].len[PM_OUT] == (i ? 1 : 0));
        pm_node_input(node, i, "x\n", 2);
        wait_for(&seen[i].exited);
    }
    finish();
    for (int i = 0; i < 4; i++) {
        CHECK(!strcmp(seen[i].text[PM_OUT], "ab\nc"));
        CHECK(!seen[i].long_pieces);
    }
}

/* Nobody can answer a process without input, or with one that has ended. */
static void holds_what_is_no_question(void)
{
    static const char text[] = "read x; printf a; sleep 0.3; echo b";

    start(text, PM_HOLD_QUESTIONS, PM_INPUT_NONE);
    start(text, PM_HOLD_QUESTIONS, PM_INPUT_FORWARDED);
    start(text, PM_HOLD_PROMPTS, PM_INPUT_NONE);
    pm_node_input(node, 1, "", 0);
    finish();
    for (int i = 0; i < 3; i++) {
        CHECK(!strcmp(seen[i].text[PM_OUT], "ab\n"));
        CHECK(seen[i].pieces == 1 + (i == 2));
    }
}

static void long_lines_are_passed_on_in_parts(void)
{
    start("head -c 300000 /dev/zero | tr '\\0' x; echo", PM_HOLD_LINES, PM_INPUT_NONE);
    finish();
    CHECK(seen[0].len[PM_OUT] == 300001);
    CHECK(seen[0].long_pieces > 0 && seen[0].long_pieces < seen[0].pieces);
}

/* Output of a paused sink stays in the pipe, also after the end of the process. */
static void pauses(void)
{
    enum { BYTES = 1000000, PIPES = 1 << 18 };

    start("yes | head -c 1000000", PM_HOLD_LINES, PM_INPUT_NONE);
    pause_after = 1;
    pm_node_finish(node);
    while (!seen[0].len[PM_OUT])
        pm_loop_once(true);
    for (int i = 0; i < 20; i++)
        pm_loop_once(false), os_sleep_ns(1000000);
    size_t first = seen[0].len[PM_OUT];
    CHECK(first > 0 && first < PIPES && !seen[0].exited);
    pause_after = BYTES - 1000;
    pm_node_pause(node, 0, false);
    wait_for(&seen[0].exited);
    for (int i = 0; i < 20; i++)
        pm_loop_once(false);
    CHECK(!ended); /* some is left */
    pause_after = 0;
    pm_node_pause(node, 0, false);
    wait_for(&ended);
    CHECK(seen[0].len[PM_OUT] == BYTES);
}

static void fire(struct pm_timer *timer) { pm_timer_clear(timer); }

/* Of two streams that are ready at once, the second one is not read when the first has paused
 * their sink; and the loop rests meanwhile. */
static void a_pause_is_for_all_streams_of_a_sink(void)
{
    static struct pm_timer timer;
    siginfo_t info;
    int turns = 0;

    for (int i = 0; i < 2; i++)
        start("echo x", PM_HOLD_LINES, PM_INPUT_NONE);
    for (int i = 0; i < 2; i++)
        CHECK(!waitid(P_PID, (id_t) seen[i].pid, &info, WEXITED | WNOWAIT));
    pause_after = 1;
    pm_timer_set(&timer, 100, fire);
    for (; pm_timer_is_set(&timer); turns++)
        pm_loop_once(true);
    CHECK(seen[0].len[PM_OUT] + seen[1].len[PM_OUT] == 2);
    CHECK(turns < 20);
    pause_after = 0;
    pm_node_pause(node, 0, false);
    finish();
    CHECK(seen[0].len[PM_OUT] == 2 && seen[1].len[PM_OUT] == 2);
}

static void output_can_be_dropped(void)
{
    start("yes | head -c 30000", PM_HOLD_LINES, PM_INPUT_NONE);
    pm_node_pause(node, 0, true);
    pm_node_finish(node);
    wait_for(&seen[0].exited);
    for (int i = 0; i < 20; i++)
        pm_loop_once(false);
    CHECK(!ended);
    pm_node_drop_output(node);
    wait_for(&ended);
    CHECK(seen[0].len[PM_OUT] == 0);
    CHECK(seen[0].output_ended[PM_OUT]);
}

static void passes_pmi(void)
{
    start("exec bash -c 'echo ask >&$PMI_FD; read x <&$PMI_FD; echo got $x; echo last >&$PMI_FD'",
          PM_HOLD_LINES, PM_INPUT_NONE);
    while (strcmp(seen[0].pmi, "ask\n") != 0)
        pm_loop_once(true);
    pm_node_pmi(node, 0, "answer\n", 7);
    pm_node_finish(node);
    wait_for(&seen[0].exited);
    CHECK(!strcmp(seen[0].pmi, "ask\nlast\n")); /* before the end is reported */
    wait_for(&ended);
    CHECK(!strcmp(seen[0].text[PM_OUT], "got answer\n"));
    pm_node_pmi(node, 0, "late\n", 5);
}

/* The number of a file that a rank may have got, and its inode: both processes print them. */
static void shares_memory(void)
{
    static const char *const script_text =
        "exec python3 -c 'import os, socket, array\n"
        "s = socket.socket(fileno=int(os.environ[\"PMI_FD\"]))\n"
        "line, files, _, _ = socket.recv_fds(s, 100, 1)\n"
        "print(line.decode().strip(), *[os.fstat(f).st_ino for f in files])'";
    char word[2][32];
    unsigned long inode[2];

    for (int i = 0; i < 3; i++) {
        start(script_text, PM_HOLD_LINES, PM_INPUT_NONE);
        pm_node_share(node, i, i < 2 ? 7 : 8, "yes\n", "no\n");
    }
    pm_node_forget(node, 7);
    pm_node_forget(node, 9); /* one that was never made */
    finish();
    for (int i = 0; i < 2; i++)
        CHECK(sscanf(seen[i].text[PM_OUT], "%31s %lu", word[i], &inode[i]) == 2
              && !strcmp(word[i], "yes"));
    CHECK(inode[0] == inode[1]);
    CHECK(sscanf(seen[2].text[PM_OUT], "%31s %lu", word[0], &inode[1]) == 2);
    CHECK(inode[0] != inode[1]);
}

/* What a process has written about its MPI calls before a signal ended it. */
static void reports_the_last_call(void)
{
    static const struct {
        const char *name; /* as Python writes bytes */
        int inside, threads;
        const char *last;
    } row[PROCESSES] = {
        { "b\"MPI_Send\\0MPI_\"", PMI_INSIDE_CALL, 0, " in MPI_Send" },
        { "b\"MPI_Send\\0MPI_\"", PMI_INSIDE_CALL, 1, "; its last MPI call was MPI_Send" },
        { "b\"MPI_\\x1b[2J\\0\"", PMI_INSIDE_CALL, 0, "" },
        { "b\"MPI_\" + b\"x\" * 99", PMI_INSIDE_CALL, 0, "" },
    };
    char text[1024];

    for (int i = 0; i < PROCESSES; i++) {
        (void) snprintf(text, sizeof text,
                        "exec python3 -c 'import mmap, os, signal, socket, struct\n"
                        "s = socket.socket(fileno=int(os.environ[\"PMI_FD\"]))\n"
                        "_, (f,), _, _ = socket.recv_fds(s, 100, 1)\n"
                        "names = b\"MPI_Init\\0\" + %s\n"
                        "os.pwrite(f, struct.pack(\"PBB\", 1009, %d, %d), 0)\n"
                        "head = struct.pack(\"QQQ\", %llu, 1000, len(names))\n"
                        "os.pwrite(f, head + names, mmap.PAGESIZE)\n"
                        "os.kill(os.getpid(), signal.SIGKILL)'",
                        row[i].name, row[i].inside, row[i].threads, PMI_NAMES_MAGIC);
        start(text, PM_HOLD_LINES, PM_INPUT_NONE);
        pm_node_share(node, i, PMI_CALLS, "yes\n", "no\n");
    }
    finish();
    for (int i = 0; i < PROCESSES; i++)
        CHECK(WIFSIGNALED(seen[i].status) && !strcmp(seen[i].last, row[i].last));
}

static void reports_who_does_not_read(void)
{
    static char bytes[1 << 16];

    start("exec sleep 60", PM_HOLD_LINES, PM_INPUT_NONE);
    for (int i = 0; i < 64 && !seen[0].pmi_stuck; i++)
        pm_node_pmi(node, 0, bytes, sizeof bytes);
    CHECK(seen[0].pmi_stuck);
    pm_node_kill(node);
    wait_for(&ended);
    CHECK(WIFSIGNALED(seen[0].status) && seen[0].exited);
}

static void forwards_input(void)
{
    char bytes[PM_INPUT_MAX], want[64];

    memset(bytes, 'x', sizeof bytes);
    start("read line; echo got $line; wc -c", PM_HOLD_LINES, PM_INPUT_FORWARDED);
    pm_node_input(node, 0, "a b\n", 4);
    CHECK(seen[0].taken == 1);
    for (int i = 0; i < 100; i++) { /* more than a pipe takes */
        int before = seen[0].taken;
        pm_node_input(node, 0, bytes, sizeof bytes);
        while (seen[0].taken == before)
            pm_loop_once(true);
    }
    pm_node_input(node, 0, NULL, 0);
    CHECK(seen[0].input_ended);
    finish();
    (void) snprintf(want, sizeof want, "got a b\n%d\n", 100 * PM_INPUT_MAX);
    CHECK(!strcmp(seen[0].text[PM_OUT], want));
}

static void says_when_input_is_not_read(void)
{
    start("exec <&-; exec sleep 60", PM_HOLD_LINES, PM_INPUT_FORWARDED);
    while (!seen[0].input_ended) {
        pm_node_input(node, 0, "x", 1);
        pm_loop_once(false);
    }
    pm_node_input(node, 0, "x", 1);
    pm_node_end(node, SIGTERM, 1000);
    wait_for(&ended);
}

/* To a CPU that the test itself may use. */
static void binds(void)
{
    char cpu[16];
    cpu_set_t mine;
    int first = 0;

    CHECK(!sched_getaffinity(0, sizeof mine, &mine));
    while (!CPU_ISSET(first, &mine))
        first++;
    (void) snprintf(cpu, sizeof cpu, "%d", first);
    start_on("sed -n 's/Cpus_allowed_list:.//p' /proc/self/status", cpu);
    finish();
    CHECK(atoi(seen[0].text[PM_OUT]) == first && strlen(seen[0].text[PM_OUT]) == strlen(cpu) + 1);
}

/* A process that cannot be bound runs, and a log line says so. */
static void says_what_it_cannot_bind(void)
{
    start_on("echo up", "4000-4001");
    CHECK(strstr(log_text, "rank 100 on ")
          && strstr(log_text, "not bound to CPUs 4000-4001: it may"));
    *log_text = '\0';
    start_on("echo up", "0,x");
    CHECK(strstr(log_text, "rank 101 on ") && strstr(log_text, "not bound to CPUs 0,x: it may"));
    *log_text = '\0';
    finish();
    CHECK(!strcmp(seen[0].text[PM_OUT], "up\n") && !strcmp(seen[1].text[PM_OUT], "up\n"));
}

/* It is not beside this test. */
static void says_that_starling_topo_is_missing(void)
{
    struct pm_plan plan = { .executable = script("true"), .executables = 1, .topology = true };

    pm_node_prepare(node, &plan);
    CHECK(ready && strstr(log_text, "starling_topo: No such file or directory"));
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    *log_text = '\0';
    finish();
}

/* One has ended, which has not been reported, because the loop does not turn. */
static void finds_what_is_exiting(void)
{
    siginfo_t info;

    start("kill -9 $$", PM_HOLD_LINES, PM_INPUT_NONE);
    start("exec sleep 60", PM_HOLD_LINES, PM_INPUT_NONE);
    CHECK(!waitid(P_PID, (id_t) seen[0].pid, &info, WEXITED | WNOWAIT));
    pm_node_find_exiting(node);
    CHECK(seen[0].exiting && !seen[0].exited && !seen[1].exiting && exiting_found == 1);
    wait_for(&seen[0].exited);
    pm_node_find_exiting(node);
    CHECK(!seen[1].exiting && exiting_found == 2);
    pm_node_kill(node);
    wait_for(&ended);
}

static void ends_all_processes(void)
{
    start("trap '' TERM; sleep 60 & echo up; while :; do sleep 1; done", PM_HOLD_LINES,
          PM_INPUT_NONE);
    start("setsid sleep 60 & echo up; exec sleep 60", PM_HOLD_LINES, PM_INPUT_NONE);
    while (!seen[0].len[PM_OUT] || !seen[1].len[PM_OUT])
        pm_loop_once(true);
    pm_node_signal(node, PM_ALL_JOBS, SIGCONT);
    pm_node_end(node, SIGTERM, 1000);
    wait_for(&ended);
    CHECK(WTERMSIG(seen[0].status) == SIGKILL && WTERMSIG(seen[1].status) == SIGTERM);
    CHECK(waitpid(-1, NULL, WNOHANG) == -1);
    CHECK(errno == ECHILD);
    CHECK(!strcmp(log_text, ""));
}

static void signals_one_job(void)
{
    start("exec sleep 60", PM_HOLD_LINES, PM_INPUT_NONE);
    job_now = 1;
    start("exec sleep 60", PM_HOLD_LINES, PM_INPUT_NONE);
    pm_node_signal(node, 1, SIGTERM);
    wait_for(&seen[1].exited);
    CHECK(WTERMSIG(seen[1].status) == SIGTERM && !seen[0].exited);
    pm_node_signal(node, 1, SIGKILL);
    pm_node_signal(node, 0, SIGINT);
    wait_for(&seen[0].exited);
    CHECK(WTERMSIG(seen[0].status) == SIGINT);
    finish();
}

/* The executables of a plan that is refused have no numbers. */
static void goes_on_after_a_refusal(void)
{
    static char *name[] = { "/no/such/file", NULL }, *none[] = { NULL };
    const struct pm_executable x[] = { *script("echo never"), { .argv = name, .environ = none } };

    start("echo first", PM_HOLD_LINES, PM_INPUT_NONE);
    refused = false;
    job_now = 1;
    pm_node_prepare(
        node, &(struct pm_plan) { .job = 1, .executable = x, .executables = 2, .processes = 2 });
    CHECK(refused && refusal.what == PM_NO_PROGRAM && refusal.executable == 1);
    job_now = 2;
    start("echo second", PM_HOLD_LINES, PM_INPUT_NONE);
    finish();
    CHECK(!strcmp(seen[1].text[PM_OUT], "second\n"));
}

/* When its groups have ended as well; then another process has its number. */
static void forgets_a_job(void)
{
    start("sleep 0.3 >/dev/null 2>&1 & echo one", PM_HOLD_LINES, PM_INPUT_NONE);
    job_now = 1;
    start("sleep 0.6", PM_HOLD_LINES, PM_INPUT_NONE);
    pm_node_forget_job(node, 0);
    wait_for(&seen[0].exited);
    while (forgotten < 0)
        pm_loop_once(true);
    CHECK(!forgotten && seen[0].len[PM_OUT] == 4 && !seen[1].exited);
    seen[0] = (struct seen) { .len = { 0 } };
    job_now = 2;
    prepare(script("echo two"));
    pm_node_start(node, &(struct pm_start) { .job = 2 });
    finish();
    CHECK(!strcmp(seen[0].text[PM_OUT], "two\n") && seen[1].exited);
}

/* Children in sessions of their own whose parents have ended: they may clean up for a second. */
static void ends_inherited_children(void)
{
    start(
        "setsid sh -c 'trap \"echo cleaned; exit\" TERM; echo up; while :; do sleep 0.05; done' & "
        "sleep 60",
        PM_HOLD_LINES, PM_INPUT_NONE);
    start("setsid sh -c 'trap \"\" TERM; echo up; while :; do sleep 1; done' & sleep 60",
          PM_HOLD_LINES, PM_INPUT_NONE);
    while (!seen[0].len[PM_OUT] || !seen[1].len[PM_OUT])
        pm_loop_once(true);
    pm_node_end(node, SIGTERM, 1000);
    wait_for(&ended);
    CHECK(!strcmp(seen[0].text[PM_OUT], "up\ncleaned\n"));
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

static void a_failed_start_is_reported(void)
{
    char file[] = "/tmp/pm_node_test.XXXXXX";
    int fd = mkstemp(file);
    struct pm_executable x = *script("true");
    char *argv[] = { file, NULL };

    CHECK(write(fd, "#!/nonexistent\n", 15) == 15);
    CHECK(!fchmod(fd, 0700));
    (void) close(fd);
    x.argv = argv;
    prepare(&x);
    CHECK(ready);
    pm_node_start(node, &(struct pm_start) { .input = PM_INPUT_FORWARDED });
    CHECK(seen[0].not_started && seen[0].err == ENOENT && strstr(seen[0].what, "nonexistent"));
    (void) unlink(file);
    finish();
    CHECK(!seen[0].exited && seen[0].output_ended[PM_OUT]);
}

/* ---- running a test in a process ------------------------------------------------------------- */

/* Each test is a process, since a node takes all children of its process. */
static void run(void *arg)
{
    open_node();
    (*(void (**)(void)) arg)();
}

static void in_process(void **state) { assert_true(unit_ended_well(unit_fork(run, state))); }

#define TEST(function)                                                                             \
    {                                                                                              \
#function, in_process, NULL, NULL, (void *) (function)                                     \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(starts_and_reports),
        TEST(refuses_what_it_cannot_run),
        TEST(a_failed_start_is_reported),
        TEST(holds_lines),
        TEST(holds_what_is_no_question),
        TEST(long_lines_are_passed_on_in_parts),
        TEST(pauses),
        TEST(a_pause_is_for_all_streams_of_a_sink),
        TEST(output_can_be_dropped),
        TEST(passes_pmi),
        TEST(shares_memory),
        TEST(reports_the_last_call),
        TEST(reports_who_does_not_read),
        TEST(forwards_input),
        TEST(says_when_input_is_not_read),
        TEST(binds),
        TEST(says_what_it_cannot_bind),
        TEST(says_that_starling_topo_is_missing),
        TEST(finds_what_is_exiting),
        TEST(ends_all_processes),
        TEST(signals_one_job),
        TEST(goes_on_after_a_refusal),
        TEST(forgets_a_job),
        TEST(ends_inherited_children),
    };

    return UNIT_RUN(tests);
}
