"""Tests of a singleton that many singletons connect with, in the program hub.

Usage: hub_test.py HUB"""
import os
import re
import resource
import subprocess
import sys

PIPES = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE,
         'text': True}


def run(hub, clients, threads, descriptors=None):
    """Runs the hub with so many clients, and with at most so many descriptors. Returns what it
    printed, how many connected, its descriptors, and what the clients printed."""
    def limit():
        if descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    name = f'starling-hub-{os.getpid()}-{clients}-{threads}'
    # pylint: disable-next=subprocess-popen-preexec-fn
    first = subprocess.Popen([hub, 'serve', str(clients), str(threads), name], **PIPES,
                             preexec_fn=limit)
    others = [subprocess.Popen([hub, 'call', name], **PIPES) for _ in range(clients)]
    out, err = first.communicate()
    assert first.returncode == 0 and not err, (first.returncode, out, err)
    texts = [other.communicate()[0] for other in others]
    for other, text in zip(others, texts):
        assert other.returncode == (3 if 'could not connect' in text else 0), \
            (other.returncode, text, out)
    connected, descriptors = re.search(r'^(\d+) connected, (\d+) descriptors$', out, re.M).groups()
    return out, int(connected), int(descriptors), texts


def all_connect(hub, threads):
    """Connects that are under way at once do not disturb each other."""
    out, connected, _, _ = run(hub, 24, threads)
    assert connected == 24 and len(out.split('\n')) == 2, out


def without_descriptors(hub):
    """Both sides hear that there is no descriptor left; what was connected before stays so."""
    enough = run(hub, 1, 1)[2] + 8
    out, connected, _, texts = run(hub, 48, 1, enough)
    assert 0 < connected < 48 and connected == sum(text == '' for text in texts), (out, texts)
    assert 'Too many open files' in out, out
    assert any('Too many open files' in text for text in texts), texts


def main(hub):
    """Runs all tests."""
    all_connect(hub, 1)
    all_connect(hub, 4)
    # libfabric's provider tcp waits, without an error, for the descriptors of its connections.
    if os.environ.get('STARLING_DEVICES') != 'libfabric':
        without_descriptors(hub)
    print('ok')


if __name__ == '__main__':
    main(*sys.argv[1:])
