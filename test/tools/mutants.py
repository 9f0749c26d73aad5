#!/usr/bin/env python3
"""tools/mutants: what its operators change in C code, its choice, which failures of tests count.

Usage: mutants.py TOOLS"""
import os
import sys
import tempfile

sys.dont_write_bytecode = True      # no __pycache__ in tools/
sys.path.insert(0, sys.argv[1])
import mutation_sites               # noqa: E402
import mutation_tests               # noqa: E402

# Each line of the body ends with what its sites make of it, by the kind of the operator.
SAMPLE = r'''
#include <limits.h> /* 1 + 2 */
#define TWICE(x) ((x) < 2 ? (x) + 1 : \
                  (x) - 1)
enum { FIRST = 1, LAST = 1 << 4 };
struct pair { int left[2], right; };
static const int table[] = { 1, 2, 3 };
static int sum(struct pair *p, int count);

static int sum(struct pair *p, int count)
{
    char text[3], *end = "1 < 2 // &&", quote = '"'; // 1 < 2
    int first = 7;
    /* if (count < 3)
     *     first = 4; */
    assert(count < 9);
    if (count <= first && !p)
        return report("at most %d", first + 1);
    for (int i = 0; i < count; i++) {
        p->left[i] += first;
        store(p, count, &first, sizeof(int[2]), "text");
        exchange(first, p->right, count + 1);
        if (i == 0x1f)
            continue;
        clear(p);
    }
    atomic_store_explicit(&flag, true, memory_order_release);
    set(p, (struct pair) { .right = first },
        3);
    return count < first ? count : first;
}
'''
WANTED = '''
13 constant: int first = 6;
13 constant: int first = 8;
17 relation: if (count < first && !p)
17 logic: if (count <= first || !p)
17 negation: if (count <= first && p)
17 negation: if (!(count <= first && !p))
19 constant: for (int i = 1; i < count; i++) {
19 relation: for (int i = 0; i <= count; i++) {
20 delete: (void) 0;
20 sum: p->left[i] -= first;
22 delete: (void) 0;
22 swap: exchange(p->right, first, count + 1);
22 constant: exchange(first, p->right, count + 0);
22 constant: exchange(first, p->right, count + 2);
22 by_one: exchange(first, p->right, count);
22 sum: exchange(first, p->right, count - 1);
23 relation: if (i != 0x1f)
23 negation: if (!(i == 0x1f))
23 constant: if (i == 0x1e)
23 constant: if (i == 0x20)
24 leave: (void) 0;
25 delete: (void) 0;
27 delete: (void) 0;
27 constant: atomic_store_explicit(&flag, false, memory_order_release);
27 order: atomic_store_explicit(&flag, true, memory_order_relaxed);
28 delete: (void) 0; |
29 constant: set(p, (struct pair) { .right = first }, | 2);
29 constant: set(p, (struct pair) { .right = first }, | 4);
30 relation: return count <= first ? count : first;
30 extreme: return count > first ? count : first;
'''


def changes(text):
    """The lines of WANTED for a text: line numbers are those of the sites."""
    for site in mutation_sites.sites(text):
        changed = mutation_sites.apply(text, site)
        before, after = text.split('\n'), changed.split('\n')
        assert len(before) == len(after), site
        differ = [i for i, (a, b) in enumerate(zip(before, after)) if a != b]
        first = 27 if 27 <= differ[0] <= 28 else differ[0]      # the statement of two lines
        lines = after[first:29] if first == 27 else after[first:differ[-1] + 1]
        number = text.count('\n', 0, site.begin) + 1
        yield f'{number} {site.kind}: ' + ' | '.join(line.strip() for line in lines).rstrip()


def operators():
    """Every change of the sample is wanted, and every wanted change is made."""
    found, wanted = sorted(changes(SAMPLE)), sorted(WANTED.strip().split('\n'))
    assert found == wanted, '\n'.join(
        [f'+ {x}' for x in found if x not in wanted] + [f'- {x}' for x in wanted if x not in found])


def choice():
    """The choice depends on the seed and the texts alone, and takes each line once."""
    texts = {'a.c': SAMPLE, 'b.c': SAMPLE.replace('7', '9')}
    first = list(mutation_sites.draw(texts, '1 area'))
    assert first == list(mutation_sites.draw(dict(reversed(texts.items())), '1 area'))
    assert first[0][:2] == ('b.c', 25) and first[0][2].kind == 'delete', first[0]
    other = list(mutation_sites.draw(texts, '2 area'))
    lines = [mutant[:2] for mutant in first]
    numbers = {wanted.split()[0] for wanted in WANTED.strip().split('\n')}
    assert lines != [mutant[:2] for mutant in other] and set(lines) == {m[:2] for m in other}
    assert len(lines) == len(set(lines)) == 2 * len(numbers)


# Name of a test, and what it does. `once` fails in its first run; `kills` kills ctest, as a mutant
# can that sends a signal to all processes: here those of the namespace, whose first is a shell.
TESTS = {
    'passes': 'true', 'once': 'test -e once || { touch once; false; }', 'unfit': 'false',
    'skipped': 'exit 77', 'hangs': 'exec sleep 100', 'fails': 'exit 3',
    'kills': 'read -r name </proc/1/comm; [ "$name" = sh ] || exit 4; '
             'for p in /proc/[1-9]*; do read -r name <$p/comm; '
             '[ "$name" != ctest ] || kill -9 ${p#/proc/}; done; sleep 9'}


def find(*names):
    """What find_failure() says of these tests, of which `unfit` fails without the mutant, too."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'CTestTestfile.cmake'), 'w', encoding='utf-8') as f:
            for name, script in TESTS.items():
                limit = 1 if name == 'hangs' else 20
                f.write(f'add_test({name} sh -c [==[{script}]==])\n'
                        f'set_tests_properties({name} PROPERTIES TIMEOUT {limit}'
                        f' SKIP_RETURN_CODE 77 WORKING_DIRECTORY {folder})\n')
        suite = mutation_tests.Suite(folder, 1)
        groups = [list(names[:1]), list(names[1:])]
        return mutation_tests.find_failure(suite, groups, lambda name: name != 'unfit', {})


def failures():
    """Failures that do not repeat, or that the original has, do not count."""
    all_pass = find('passes', 'skipped', 'once', 'unfit')
    assert all_pass.test is None and all_pass.tests == 4, all_pass
    assert (all_pass.flaky, all_pass.unfit) == (['once'], ['unfit']), all_pass
    fails = find('once', 'fails', 'passes')
    assert (fails.test, fails.how, fails.tests) == ('fails', 'Failed', 3), fails
    assert fails.flaky == ['once'], fails
    hangs = find('hangs')
    assert (hangs.test, hangs.how) == ('hangs', 'Timeout'), hangs
    kills = find('passes', 'kills')
    assert (kills.test, kills.how, kills.tests) == ('kills', 'Died', 2), kills


if __name__ == '__main__':
    operators()
    choice()
    try:
        mutation_tests.namespace()
    except SystemExit as e:
        print(e)
        sys.exit(77)
    failures()
