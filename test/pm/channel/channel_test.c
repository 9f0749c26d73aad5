/* channel_test.c — frames that are cut anywhere, structures in them, and a session with a proxy
 * that is torn at each byte. The proxy is a shell that prints what a proxy would. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "pm/node/log.h"
#include "pm/node/loop.h"
#include "platform/os.h"
#include "pm/channel/pm_serialize.h"
#include "pm/channel/pm_frame.h"
#include "pm/channel/pm_remote.h"
#include "unit.h"

enum { WAIT_S = 30 };

/* ---- frames ---------------------------------------------------------------------------------- */

static struct pm_frame frame_of(enum pm_frame_kind kind, int number, int value, const char *text)
{
    return (struct pm_frame) {
        .kind = kind, .number = number, .value = value, .bytes = text, .len = strlen(text)
    };
}

static void frames_survive_any_cut(void **state)
{
    const struct pm_frame sent[] = { frame_of(PM_FRAME_BEAT, 1, 0, ""),
                                     frame_of(PM_FRAME_STARTED, 70000, -1, "/bin/sh"),
                                     frame_of(PM_FRAME_OUTPUT, 0, 1, "text\n"),
                                     frame_of(PM_FRAME_ENDED, 0, 0, "") };
    struct pm_bytes all = { .bytes = NULL };
    (void) state;

    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pm_frame_put(&all, &sent[i]), 0);
    for (size_t cut = 1; cut <= all.len; cut++) {
        struct pm_bytes q = { .bytes = NULL };
        size_t got = 0;
        for (size_t at = 0, n; at < all.len; at += n) {
            struct pm_frame f;
            ssize_t taken;
            n = cut < all.len - at ? cut : all.len - at;
            assert_int_equal(pm_bytes_add(&q, all.bytes + at, n), 0);
            for (; (taken = pm_frame_get(&q, true, &f)) > 0; pm_bytes_take(&q, (size_t) taken)) {
                assert_true(got < 4 && f.kind == sent[got].kind && f.number == sent[got].number);
                assert_true(f.value == sent[got].value && f.len == sent[got].len);
                assert_memory_equal(f.bytes, sent[got].bytes, f.len);
                got++;
            }
            assert_int_equal(taken, 0);
        }
        assert_true(got == 4 && !q.len);
        pm_bytes_free(&q);
    }
    pm_bytes_free(&all);
}

static ssize_t get(uint32_t len, unsigned kind, unsigned stream, bool from_proxy)
{
    unsigned char head[PM_FRAME_HEAD] = {
        len & 255,  len >> 8 & 255, len >> 16 & 255, len >> 24,
        kind & 255, kind >> 8,      stream & 255,    stream >> 8
    };
    struct pm_bytes q = { (char *) head, 0, sizeof head, sizeof head };
    struct pm_frame f;

    return pm_frame_get(&q, from_proxy, &f);
}

static void wrong_frames_are_refused(void **state)
{
    (void) state;
    assert_true(get(0, PM_FRAME_ENDED, 0, true) > 0);
    assert_true(get(0, PM_FRAME_ENDED, 0, false) < 0); /* the wrong direction */
    assert_true(get(0, PM_FRAME_KILL, 0, true) < 0);
    assert_true(get(1, PM_FRAME_ENDED, 0, true) < 0);
    assert_int_equal(get(1 << 20, PM_FRAME_OUTPUT, 0, true), 0);
    assert_true(get((1 << 20) + 1, PM_FRAME_OUTPUT, 0, true) < 0);
    assert_true(get(UINT32_MAX, PM_FRAME_OUTPUT, 0, true) < 0);
    assert_true(get(0, PM_FRAME_OUTPUT, PM_STREAMS, true) < 0);
    assert_true(get(0, 0, 0, true) < 0);
    assert_true(get(0, PM_FRAME_KINDS, 0, true) < 0);
    assert_true(get(0, 65535, 0, false) < 0);
}

/* ---- structures ------------------------------------------------------------------------------ */

static const struct pm_plan *example(void)
{
    static char *argv[] = { "prog", "", "an argument", NULL }, *none[] = { NULL };
    static char *environ_of[] = { "A=b", "EMPTY=", NULL };
    static const struct pm_executable x[] = {
        { .argv = argv,
          .arch = "riscv64",
          .wdir = "/tmp",
          .path = "/bin:/usr/bin",
          .environ = environ_of,
          .login = true },
        { .argv = argv + 1, .environ = none },
    };
    static const struct pm_plan plan = { 0, x, 2, 100000, 1ul << 40, true, 1000 };

    return &plan;
}

static void plans_arrive(void **state)
{
    struct pm_bytes q = { .bytes = NULL };
    (void) state;

    assert_int_equal(pm_encode_plan(&q, example()), 0);
    struct pm_plan *p = pm_decode_plan(q.bytes, q.len);
    assert_non_null(p);
    assert_true(p->executables == 2 && p->processes == 100000 && p->files_of_owner == 1ul << 40);
    assert_true(p->topology && p->leftovers_ms == 1000);
    const struct pm_executable *x = p->executable;
    assert_string_equal(x->arch, "riscv64");
    assert_string_equal(x->argv[2], "an argument");
    assert_string_equal(x->argv[1], "");
    assert_null(x->argv[3]);
    assert_string_equal(x->wdir, "/tmp");
    assert_string_equal(x->path, "/bin:/usr/bin");
    assert_string_equal(x->environ[1], "EMPTY=");
    assert_null(x->environ[2]);
    assert_true(x[0].login && !x[1].login);
    assert_true(!x[1].wdir && !x[1].path && !x[1].environ[0]);
    pm_decoded_plan_free(p);
    for (size_t len = 0; len < q.len; len++) /* torn */
        assert_null(pm_decode_plan(q.bytes, len));
    assert_int_equal(pm_bytes_add(&q, "", 1), 0); /* too long */
    assert_null(pm_decode_plan(q.bytes, q.len));
    pm_bytes_free(&q);
}

static void starts_arrive(void **state)
{
    const struct pm_start start = { .rank = 7,
                                    .local_rank = 1,
                                    .local_size = 4,
                                    .executable = 2,
                                    .sink = { 3, 5 },
                                    .hold = { PM_HOLD_PROMPTS, PM_HOLD_LINES },
                                    .pty = true,
                                    .input = PM_INPUT_FORWARDED,
                                    .cpus = "0,4-7" };
    struct pm_bytes q = { .bytes = NULL };
    struct pm_start s;
    (void) state;

    assert_true(!pm_encode_start(&q, &start) && !pm_decode_start(q.bytes, q.len, &s));
    assert_true(s.rank == 7 && s.local_rank == 1 && s.local_size == 4 && s.executable == 2);
    assert_true(s.sink[0] == 3 && s.sink[1] == 5 && s.input == PM_INPUT_FORWARDED);
    assert_true(s.hold[0] == PM_HOLD_PROMPTS && s.hold[1] == PM_HOLD_LINES && s.pty);
    assert_string_equal(s.cpus, "0,4-7");
    for (size_t len = 0; len < q.len; len++)
        assert_true(pm_decode_start(q.bytes, len, &s) < 0);
    pm_bytes_free(&q);
}

static void answers_arrive(void **state)
{
    const struct pm_refusal why = {
        .what = PM_FEW_FILES, .err = -24, .executable = 3, .files = 1ul << 50, .limit = 1024
    };
    struct pm_bytes q = { .bytes = NULL };
    const char *host, *topology;
    struct pm_refusal w;
    (void) state;

    assert_int_equal(pm_encode_ready(&q, "node1", NULL), 0);
    assert_int_equal(pm_decode_ready(q.bytes, q.len, &host, &topology), 0);
    assert_string_equal(host, "node1");
    assert_null(topology);
    for (size_t len = 0; len < q.len; len++)
        assert_true(pm_decode_ready(q.bytes, len, &host, &topology) < 0);
    pm_bytes_free(&q);
    assert_int_equal(pm_encode_refusal(&q, &why), 0);
    assert_int_equal(pm_decode_refusal(q.bytes, q.len, &w), 0);
    assert_true(w.what == PM_FEW_FILES && w.err == -24 && w.executable == 3);
    assert_true(w.files == 1ul << 50 && w.limit == 1024);
    for (size_t len = 0; len < q.len; len++)
        assert_true(pm_decode_refusal(q.bytes, len, &w) < 0);
    pm_bytes_free(&q);
}

static void jobs_arrive(void **state)
{
    static const int appnum[] = { 0, 1, 0 }, node[] = { 1, 0, 1 };
    static const char *const programs[] = { "maxprocs=2", "", NULL };
    const struct pm_server_config config = { .size = 3,
                                             .appnum = appnum,
                                             .node = node,
                                             .here = 1,
                                             .name = "job",
                                             .survives = true,
                                             .settings = "A=1\nB=2",
                                             .programs = programs };
    struct pm_bytes q = { .bytes = NULL };
    struct pm_server_config c;
    int universe;
    (void) state;

    assert_int_equal(pm_encode_job(&q, &config, 7), 0);
    assert_int_equal(pm_decode_job(q.bytes, q.len, &c, &universe), 0);
    assert_true(c.size == 3 && c.here == 1 && !c.hubs && c.survives && universe == 7);
    assert_memory_equal(c.appnum, appnum, sizeof appnum);
    assert_memory_equal(c.node, node, sizeof node);
    assert_true(!strcmp(c.name, "job") && !strcmp(c.settings, "A=1\nB=2"));
    assert_string_equal(c.programs[0], "maxprocs=2");
    assert_true(!*c.programs[1] && !c.programs[2]);
    pm_decoded_job_free(&c);
    for (size_t len = 0; len < q.len; len++)
        assert_int_equal(pm_decode_job(q.bytes, len, &c, &universe), -EBADMSG);
    q.bytes[q.len - 5 * 8] = 2; /* a program that there is not */
    assert_int_equal(pm_decode_job(q.bytes, q.len, &c, &universe), -EBADMSG);
    pm_bytes_free(&q);
}

static void notes_arrive(void **state)
{
    const struct pm_note note = { .kind = PM_NOTE_VALUE,
                                  .generation = 3,
                                  .rank = 70000,
                                  .value = -1,
                                  .bytes = "k\0v",
                                  .len = 4 };
    struct pm_bytes q = { .bytes = NULL };
    struct pm_note n;
    (void) state;

    assert_int_equal(pm_encode_note(&q, &note), 0);
    assert_int_equal(pm_decode_note(q.bytes, q.len, &n), 0);
    assert_true(n.kind == note.kind && n.generation == 3 && n.rank == 70000 && n.value == -1);
    assert_true(n.len == 4 && !memcmp(n.bytes, note.bytes, 4));
    for (size_t len = 0; len < q.len - 4; len++)
        assert_int_equal(pm_decode_note(q.bytes, len, &n), -EBADMSG);
    q.bytes[0] = PM_NOTE_KINDS;
    assert_int_equal(pm_decode_note(q.bytes, q.len, &n), -EBADMSG);
    pm_bytes_free(&q);
}

/* ---- a session ------------------------------------------------------------------------------- */

static int readies, starts, exits, outputs, losses, ends;
static char output[64], lost_text[2048], log_text[4096];

static void on_ready(void *owner, int job, const char *host, const char *topology)
{
    assert_true(!owner && !job && !strcmp(host, "node1") && !strcmp(topology, "core 0\n"));
    readies++;
}

static void on_refused(void *owner, int job, const struct pm_refusal *why)
{
    (void) owner, (void) job, (void) why;
    fail();
}

static void on_started(void *owner, int process, pid_t pid, const char *file)
{
    (void) owner, (void) file;
    assert_true(process == 0 && pid == 77);
    starts++;
}

static void on_output(void *owner, int process, int stream, const char *bytes, size_t len,
                      bool more)
{
    (void) owner, (void) more;
    assert_true(process == 0 && stream == PM_ERR && len < sizeof output);
    memcpy(output, bytes, len);
    outputs++;
}

static void on_output_ended(void *owner, int process, int stream)
{
    assert_true(!owner && process == 0 && (stream == PM_OUT || stream == PM_ERR));
}

static void on_exited(void *owner, int process, int status, const char *last)
{
    (void) owner;
    assert_true(process == 0 && status == 256 && !*last);
    exits++;
}

static void on_ended(void *owner)
{
    (void) owner;
    ends++;
}

static void on_lost(void *owner, const char *text)
{
    (void) owner;
    assert_int_equal(ends, 0);
    (void) snprintf(lost_text, sizeof lost_text, "%s", text);
    losses++;
}

static void take_log(const char *line, size_t len)
{
    size_t used = strlen(log_text);

    (void) snprintf(log_text + used, sizeof log_text - used, "%.*s", (int) len, line);
}

/* Runs a shell script as a proxy, until its node has ended. timeout_ms: without answers. */
static void run_proxy(const char *script, int timeout_ms)
{
    char *command[] = { "/bin/sh", "-c", (char *) (uintptr_t) script, NULL };
    static struct pm_signals signals;
    const struct pm_remote_events events = { .node = { .ready = on_ready,
                                                       .refused = on_refused,
                                                       .started = on_started,
                                                       .output = on_output,
                                                       .output_ended = on_output_ended,
                                                       .exited = on_exited,
                                                       .ended = on_ended },
                                             .lost = on_lost };
    static struct pm_remote *all[1024]; /* they live as long as mpiexec */
    static int n;
    uint64_t end = os_time_ns() + WAIT_S * 1000000000ull;

    readies = starts = exits = outputs = losses = ends = 0;
    *output = *lost_text = *log_text = '\0';
    assert_true(n < 1024);
    all[n] = pm_remote_open(
        &(struct pm_remote_config) {
            .host = "h", .command = command, .timeout_ms = timeout_ms, .signals = &signals },
        &events);
    assert_non_null(all[n]);
    pm_remote_prepare(all[n], example());
    pm_remote_start(all[n], &(struct pm_start) { .local_size = 1, .sink = { PM_NO_SINK, 0 } });
    pm_remote_finish(all[n]);
    n++;
    while (!ends) {
        assert_true(os_time_ns() < end);
        pm_loop_once(true);
    }
    assert_true(losses <= 1 && ends == 1);
    assert_true(!losses || !strncmp(lost_text, "host h: ", 8));
}

static char session_file[] = "/tmp/pm_channel_testXXXXXX";
static size_t greeting, first, session;

/* Writes to a file what a proxy sends in a short life. */
static void write_session(const char *greeting_text, const struct pm_frame *extra)
{
    const struct pm_frame sent[] = { frame_of(PM_FRAME_STARTED, 0, 77, "/bin/sh"),
                                     frame_of(PM_FRAME_OUTPUT, 0, 0, "text\n"),
                                     frame_of(PM_FRAME_OUTPUT_ENDED, 0, 0, ""),
                                     frame_of(PM_FRAME_EXITED, 0, 256, ""),
                                     frame_of(PM_FRAME_ENDED, 0, 0, "") };
    struct pm_bytes q = { .bytes = NULL }, answer = { .bytes = NULL };
    struct pm_frame ready = { .kind = PM_FRAME_READY };

    greeting = strlen(greeting_text);
    assert_int_equal(pm_bytes_add(&q, greeting_text, greeting), 0);
    assert_int_equal(pm_encode_ready(&answer, "node1", "core 0\n"), 0);
    ready.bytes = answer.bytes;
    ready.len = answer.len;
    first = greeting + PM_FRAME_HEAD + answer.len;
    assert_int_equal(pm_frame_put(&q, &ready), 0);
    pm_bytes_free(&answer);
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) {
        struct pm_frame f = sent[i];
        f.stream = f.kind == PM_FRAME_OUTPUT || f.kind == PM_FRAME_OUTPUT_ENDED ? PM_ERR : 0;
        if (extra && f.kind == PM_FRAME_EXITED)
            assert_int_equal(pm_frame_put(&q, extra), 0);
        assert_int_equal(pm_frame_put(&q, &f), 0);
    }
    int fd = open(session_file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(write(fd, q.bytes, q.len), (ssize_t) q.len);
    (void) close(fd);
    session = q.len;
    pm_bytes_free(&q);
}

static const char good[] = "\n=starling-proxy= 7 test\n";

static void run_session(void)
{
    char script[128];

    (void) snprintf(script, sizeof script, "exec cat %s", session_file);
    run_proxy(script, 0);
}

static void a_session_may_be_torn_at_each_byte(void **state)
{
    char script[128];
    (void) state;

    write_session(good, NULL);
    run_session();
    assert_true(readies == 1 && starts == 1 && outputs == 1 && exits == 1 && !losses);
    assert_string_equal(output, "text\n");
    for (size_t len = 0; len < session; len++) {
        (void) snprintf(script, sizeof script, "exec head -c %zu %s", len, session_file);
        run_proxy(script, 0);
        assert_int_equal(losses, 1);
        assert_string_equal(lost_text, "host h: its proxy ended with 0");
        assert_true(readies == (len >= first));
    }
}

static void wrong_sessions_are_one_line(void **state)
{
    static const char joined[32] = { PM_NOTE_JOINED },
                      answer[] = "\2\0\0\0\0\0\0\0h\0\0\0\0\0\0\0\0";
    static const struct {
        struct pm_frame extra;
        const char *why;
    } row[] = {
        { { .kind = PM_FRAME_EXITED, .number = 1 },
          "host h: its proxy speaks of process 1, and there is none" },
        { { .kind = PM_FRAME_OUTPUT, .number = -1 },
          "host h: its proxy speaks of process -1, and there is none" },
        { { .kind = PM_FRAME_OUTPUT, .bytes = "x", .len = 1 },
          "host h: its proxy sends output that is not wanted" },
        { { .kind = PM_FRAME_FORGOTTEN }, "host h: its proxy has forgotten job 0 by itself" },
        { { .kind = PM_FRAME_KILL }, "host h: its proxy sends what is no frame" },
        { { .kind = PM_FRAME_REFUSED }, "host h: its proxy sends a refusal that cannot be read" },
        { { .kind = PM_FRAME_NOTE, .bytes = "x", .len = 1 },
          "host h: its proxy sends a note that cannot be read" },
        { { .kind = PM_FRAME_NOTE, .number = 1, .bytes = joined, .len = sizeof joined },
          "host h: its proxy sends a note that cannot be read" },
        { { .kind = PM_FRAME_READY, .bytes = answer, .len = sizeof answer }, /* the second one */
          "host h: its proxy sends an answer that cannot be read" },
        { { .kind = PM_FRAME_FAILED, .bytes = "on fire", .len = 7 }, "host h: on fire" },
        { { .kind = PM_FRAME_EXITED, .value = 256 },
          "host h: its proxy says twice that process 0 has ended" },
    };
    (void) state;

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        write_session(good, &row[i].extra);
        run_session();
        assert_string_equal(lost_text, row[i].why);
    }
}

static void log_lines_name_the_host(void **state)
{
    const struct pm_frame line = frame_of(PM_FRAME_LOG, 0, 0, "mpiexec: a line\n");
    (void) state;

    write_session("welcome\r\n\nto host1\n=starling-proxy= 7 test\n", &line);
    run_session();
    assert_true(!losses && exits == 1);
    assert_string_equal(log_text, "mpiexec: host h: welcome\nmpiexec: host h: to host1\n"
                                  "mpiexec: host h: a line\n");
}

static void proxies_that_do_not_come(void **state)
{
    (void) state;
    run_proxy("echo first >&2; echo the cause >&2; exit 3", 0);
    assert_string_equal(lost_text, "host h: its proxy ended with 3: the cause");
    assert_string_equal(log_text, "mpiexec: host h: first\n");
    run_proxy("kill -9 $$", 0);
    assert_string_equal(lost_text, "host h: its proxy was killed by SIGKILL");
    run_proxy("echo '=starling-proxy= 999 9.9'; exec sleep 100", 0);
    assert_non_null(strstr(lost_text, "is of another version of Starling: it says '999 9.9'"));
    run_proxy("yes | head -c 2000000; exec sleep 100", 0);
    assert_non_null(strstr(lost_text, "has not come, and the host prints without end"));
    run_proxy("echo why >&2; exec sleep 100", 100);
    assert_string_equal(lost_text, "host h: its proxy has not answered for 0.3 s: why");
    run_proxy("echo '=starling-proxy= 7 x'; exec sleep 100", 100);
    assert_non_null(strstr(lost_text, "host h: its proxy has not answered for 0.1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_survive_any_cut),
        cmocka_unit_test(wrong_frames_are_refused),
        cmocka_unit_test(plans_arrive),
        cmocka_unit_test(starts_arrive),
        cmocka_unit_test(answers_arrive),
        cmocka_unit_test(jobs_arrive),
        cmocka_unit_test(notes_arrive),
        cmocka_unit_test(a_session_may_be_torn_at_each_byte),
        cmocka_unit_test(wrong_sessions_are_one_line),
        cmocka_unit_test(log_lines_name_the_host),
        cmocka_unit_test(proxies_that_do_not_come),
    };
    int fd = mkstemp(session_file);

    (void) signal(SIGPIPE, SIG_IGN);
    CHECK(fd >= 0 && !close(fd) && !pm_loop_open());
    pm_log_to(take_log);
    int failed = UNIT_RUN(tests);
    (void) unlink(session_file);
    return failed;
}
