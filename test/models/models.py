#!/usr/bin/env python3
"""Checks a model of the code with spin. The model must hold in every interleaving on weakly ordered
memory (which may do all that x86 does), with membarrier and with fences. spin must refute each
variant of the model that lacks one step of the code: that shows that the model finds such errors.

Usage: models.py MODEL    exit code 77: spin is not installed"""
import os, re, shutil, subprocess, sys, tempfile

# Macros that a model is built with, a line for each build; then the builds that spin must refute.
MODELS = {
    'sleep': ('''
        weak
        weak FENCES''', '''
        TSO NO_SECOND_LOOK
        TSO NO_MEMBARRIER
        TSO NO_COMPARE
        TSO FENCES NO_SENDER_FENCE'''),
    'ring': ('''
        weak
        TSO RELAXED_PUBLISH''', '''
        TSO CLEAR_ONE_LINE
        TSO NO_EARLY_CLEAR
        TSO NO_GAP
        TSO RETURN_EARLY
        TSO KEEP_CLEARED
        TSO CLEAR_WITHOUT_CREDIT
        weak RELAXED_PUBLISH'''),
    'biased_lock': ('''
        weak
        weak FENCES''', '''
        TSO NO_MEMBARRIER
        TSO NO_LOOK
        TSO PLAIN_END
        TSO PLAIN_LOOK
        TSO NO_REST_FENCE
        TSO FENCES NO_CALL_FENCE
        weak RELAXED_LEAVE'''),
    'credit': ('''
        weak
        weak FENCES''', '''
        TSO NO_SECOND_LOOK
        TSO NO_MEMBARRIER
        TSO NO_WAITS_FLAG
        TSO NO_LOOK_AFTER_FLAG
        TSO NO_RETURN_FENCE
        TSO FLAG_CLEARED_LATE
        TSO FENCES NO_SENDER_FENCE'''),
    'rma_lock': ('''
        weak
        weak FENCES
        weak PROCS=2 TURNS=2''', '''
        TSO NO_MEMBARRIER
        TSO NO_SECOND_LOOK
        TSO WAITS_LATE
        TSO NO_PASS
        TSO PASS_IN_SILENCE
        TSO FENCES NO_RELEASE_FENCE
        TSO PROCS=2 TURNS=2 UNFAIR
        TSO PROCS=2 TURNS=2 PLAIN_WRITE
        TSO PROCS=2 TURNS=2 NO_LOOK_INSIDE
        TSO PROCS=2 TURNS=2 NO_JOINERS
        TSO PROCS=2 TURNS=2 JOIN_IN_SILENCE'''),
    'rma_pscw': ('''
        TSO
        TSO FENCES
        TSO PLACES
        weak PROCS=2 FIRST_TARGET=0
        weak PROCS=2 FIRST_TARGET=0 FENCES
        weak PROCS=2 FIRST_TARGET=0 PLACES
        weak PROCS=2 FIRST_TARGET=0 PLACES FENCES''', '''
        TSO NO_MEMBARRIER
        TSO PLACES NO_MEMBARRIER
        TSO NO_SECOND_LOOK
        TSO AWAITS_LATE
        TSO NO_WAKE
        TSO FENCES NO_SIGNAL_FENCE
        TSO NO_WAIT
        TSO FLAGS
        weak RELAXED_SIGNAL'''),
    'rma_atomic': ('''
        weak
        weak DEATHS=1
        weak PROCS=3 TURNS=1 DEATHS=1''', '''
        TSO NO_MEMBARRIER
        TSO NO_DRAIN
        TSO NO_FENCE
        TSO NO_STRIPE
        TSO BUSY_LATE
        TSO BUSY_BEHIND
        TSO PLAIN_CHANGE
        TSO DEATHS=1 NO_SECOND_LOOK
        TSO DEATHS=1 KEEP_AFTER_ERROR
        TSO PROCS=3 DEATHS=1 MODE_AFTER_ERROR
        weak RELAXED_END'''),
    'rma_stripe': ('''
        weak
        weak PROCS=2 TURNS=2
        weak DEATHS=1''', '''
        TSO PLAIN_TAKE
        TSO PLAIN_RELEASE
        TSO ANY_ORDER
        TSO DEATHS=1 NO_DEATHS
        TSO DEATHS=1 NO_SECOND_LOOK
        TSO DEATHS=1 ANNOUNCE_LATE
        TSO DEATHS=1 FORGET_EARLY
        TSO DEATHS=1 KEEP_AFTER_ERROR
        weak RELAXED_RELEASE'''),
    'coop_copy': ('''
        weak''', '''
        TSO CHUNKS_APART
        TSO NEVER_OVER
        TSO NO_NUMBER
        weak RELAXED_OPEN'''),
    'leave': ('''
        DEATHS=0
        FAILS
        CONNECTS=2 SENDS=0 TALKED
        DEATHS=1''', '''
        LEAVE_WHILE_CONNECTING
        NO_ANSWER_WHILE_CONNECTING
        MEET_WHILE_LEAVING
        CONNECTS=2 SENDS=0 TALKED WAIT_FOR_LEAVERS
        FAILS FAIL_IN_SILENCE
        FAILS LEAVE_BY_DEVICE
        NO_MARKER
        FORGET_AT_SENDING
        NO_EXCHANGE
        DEATHS=1 NO_MARKER
        DEATHS=1 NO_GENERATION'''),
    'fifo': ('''
        weak CELLS=2
        TSO DEATHS=1
        TSO DEATHS=1 FENCES''', '''
        TSO NO_SECOND_LOOK
        TSO NO_MEMBARRIER
        TSO NO_WAITS_FLAG
        TSO NO_LOOK_AFTER_FLAG
        TSO NO_FREE_FENCE
        TSO WAKE_ONE
        TSO DEATHS=1 NOT_PASSED_OVER
        TSO DEATHS=1 NO_SECOND_READ
        TSO FENCES NO_CLEAR_FENCE
        weak RELAXED_PUBLISH'''),
}


def run(*command, limit=100):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit)
    return done.returncode, done.stdout.decode()


def holds(source, words, option):
    """Searches all states; true when no assertion is violated in any."""
    defines = ['-D' + word for word in words if word != 'weak']
    code, text = run('spin', *defines, '-a', source)
    assert code == 0, text
    # Safety alone, with compressed states: each property is an assertion, some at a state where
    # no process can move.
    code, text = run('cc', option, '-w', '-DSAFETY', '-DCOLLAPSE', '-DMEMLIM=4000', 'pan.c', '-o',
                     'pan')
    assert code == 0, text
    code, text = run('./pan', '-E', '-m100000')
    errors = re.search(r'errors: (\d+)', text)
    assert errors and 'too small' not in text and 'out of memory' not in text, text
    if errors[1] == '0':
        assert 'Search not completed' not in text, text
        return True
    assert 'assertion violated' in text, text
    return False


def main(name):
    if not shutil.which('spin'):
        print('spin is not installed: run `tools/install-deps models`', file=sys.stderr)
        return 77
    source = os.path.join(os.path.dirname(os.path.realpath(__file__)), name + '.pml')
    bad = []
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        # Most errors are found sooner than cc would optimize.
        for lines, good, option in zip(MODELS[name], (True, False), ('-O2', '-O0')):
            for line in filter(None, map(str.strip, lines.split('\n'))):
                if holds(source, line.split(), option) != good:
                    bad.append(f'{name}.pml {line}: {"is refuted" if good else "holds"}')
        os.chdir('/')
    print('\n'.join(bad), end='', file=sys.stderr)
    return bool(bad)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1]))
