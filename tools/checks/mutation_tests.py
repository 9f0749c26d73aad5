"""mutation_tests: runs tests of a build directory until one fails again, for tools/mutants.

Tests run in a process namespace of their own. A mutant that sends a signal to all processes reaches
no others, and what it leaves running ends with the namespace."""
import collections
import functools
import json
import os
import re
import subprocess
import tempfile
import time

CHUNK = 50              # tests that one call of ctest runs
CALL_LIMIT_S = 3600     # of such a call, which has a time limit for each test
RESULT = re.compile(r'^ *\d+/\d+ Test +#\d+: (\S+) \.*\s*(?:\*\*\*)?(.*?) +([\d.]+) sec', re.M)
GOOD = 'Passed', 'Skipped'
# Its processes are the first to be killed when memory is short, and leave no core files.
IN_SHELL = 'echo 500 >/proc/self/oom_score_adj; ulimit -c 0; "$@"; exit $?'

# The search for a test that fails: its name and how it fails, both None if there is none; how many
# tests have run, and seconds; tests that failed once only, and those that fail without the mutant.
Search = collections.namedtuple('Search', 'test how tests seconds flaky unfit')


@functools.lru_cache(maxsize=None)
def namespace():
    """The words in front of a command that run it in a process namespace."""
    for user in [], ['--map-current-user']:
        command = ['unshare', *user, '--fork', '--pid', '--mount-proc', '--kill-child']
        tried = subprocess.run([*command, 'true'], stderr=subprocess.DEVNULL, check=False)
        if tried.returncode == 0:
            return [*command, 'sh', '-c', IN_SHELL, 'sh']
    raise SystemExit('mutants: unshare cannot make a process namespace here, and without one a '
                     'mutant might send signals to all processes')


def run_inside(command, limit_s, environment=None):
    """(exit code, output) of a command in a namespace; -9 after the time limit."""
    try:
        run = subprocess.run(
            [*namespace(), *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=limit_s, env=environment, check=False)
    except subprocess.TimeoutExpired as e:
        return -9, (e.stdout or b'').decode(errors='replace')
    return run.returncode, run.stdout.decode(errors='replace')


class Suite:
    """The tests of a build directory."""

    def __init__(self, build, jobs):
        self.build, self.jobs = build, jobs

    def select(self, *arguments):
        """[(name, labels)] of the tests that ctest chooses with these arguments, in its order."""
        shown = subprocess.run(['ctest', '--show-only=json-v1', *arguments], cwd=self.build,
                               stdout=subprocess.PIPE, check=True).stdout
        found = []
        for test in json.loads(shown)['tests']:
            properties = {p['name']: p['value'] for p in test.get('properties', [])}
            found.append((test['name'], properties.get('LABELS', [])))
        return found

    @functools.cached_property
    def numbers(self):
        """{name: the number by which ctest knows it}."""
        return {name: i for i, (name, _) in enumerate(self.select(), 1)}

    def run(self, names):
        """{name: (result, seconds)} of the tests that ran: all of them up to the first failure, in
        whatever order; and whether ctest came to its end."""
        numbers = ','.join(str(self.numbers[name]) for name in names)
        with tempfile.TemporaryDirectory(prefix='mutants-') as folder:
            os.chmod(folder, 0o1777)
            _, output = run_inside(
                ['ctest', '--test-dir', self.build, '-I', '0,0,0,' + numbers, '-j', str(self.jobs),
                 '--timeout', '60', '--stop-on-failure'],
                CALL_LIMIT_S, {**os.environ, 'TMPDIR': folder})
        results = {m.group(1): (m.group(2), float(m.group(3))) for m in RESULT.finditer(output)}
        return results, ' tests passed, ' in output

    def run_one(self, name):
        """The result of a test that runs alone: 'Died' when ctest itself was killed."""
        results, _ = self.run([name])
        return results.get(name, ('Died', 0))[0]


def run_chunk(suite, names):
    """As Suite.run, but where ctest was killed each test runs alone, up to the first failure."""
    results, whole = suite.run(names)
    if whole:
        return results if failures(results) else {**dict.fromkeys(names, ('Skipped', 0)), **results}
    results = {}
    for name in names:
        results[name] = suite.run_one(name), 0
        if failures(results):
            break
    return results


def failures(results):
    """{name: result} of those tests that failed."""
    return {name: how for name, (how, _) in results.items() if how not in GOOD}


def find_failure(suite, groups, passes_without, seconds):
    """Runs groups of tests, lists of names, one after the other, until a test fails, fails again
    alone, and passes_without(name) the mutant. Notes the seconds that tests take in `seconds`."""
    begin, count, flaky, unfit = time.monotonic(), 0, [], []
    chunks = [group[i:i + CHUNK] for group in groups for i in range(0, len(group), CHUNK)]
    while chunks:
        chunk = chunks.pop(0)
        results = run_chunk(suite, chunk)
        count += len(results)
        seconds.update((name, s) for name, (how, s) in results.items() if how == 'Passed')
        for name, how in failures(results).items():
            if suite.run_one(name) in GOOD:
                flaky.append(name)
            elif not passes_without(name):
                unfit.append(name)
            else:
                return Search(name, how, count, round(time.monotonic() - begin, 1), flaky, unfit)
        rest = [name for name in chunk if name not in results]
        if rest == chunk:   # what failed prepares the first of them
            rest = rest[1:]
        chunks[:0] = [rest] if rest else []
    return Search(None, None, count, round(time.monotonic() - begin, 1), flaky, unfit)
