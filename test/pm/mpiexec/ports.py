"""Ports for listeners of tests."""
import contextlib, random, socket


def free_ports(n):
    """Ports that are free, and that the kernel gives to no socket of another process: those would come from
    ip_local_port_range."""
    with open('/proc/sys/net/ipv4/ip_local_port_range') as f:
        end = max(10000, int(f.read().split()[0]))
    with contextlib.ExitStack() as stack:
        found = []
        while len(found) < n:
            with contextlib.suppress(OSError):
                found.append(stack.enter_context(socket.create_server(('', random.randrange(2000, end - 20)))))
        return [s.getsockname()[1] for s in found]
