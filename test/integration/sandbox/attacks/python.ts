import { DENIED } from '../../../../src/sandbox/drivers/bubblewrap/syscalls.ts';
import type { Execution } from '../../../../src/sandbox/driver.ts';
import type { Attack, World } from './attack.ts';

const PRELUDE = `
import os, sys, errno, time, signal
def attempt(name, action, allowed=lambda result: False):
    try:
        result = action()
    except BaseException as error:
        print('BLOCKED', name, type(error).__name__, str(error)[:60])
    else:
        print('BLOCKED' if allowed(result) else 'ESCAPED', name, repr(result)[:80])
def put(path, text):
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    return os.write(descriptor, text.encode())
`;
const LIBC = `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments])
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
`;
const numbers = Object.fromEntries(Object.entries(DENIED).map(([name, both]) => [name, both[process.arch === 'x64' ? 0 : 1]]));
const MIB = 1024 * 1024;

export function pythonAttacks(world: World): Attack[] {
  const attack = (name: string, code: string, more: Partial<Attack> = {}): Attack => ({ name, language: 'python', code: PRELUDE + code, ...more });
  const text = (value: string) => JSON.stringify(value);
  return [
    attack(
      'TCP to a server on 127.0.0.1',
      `
import socket
attempt('tcp', lambda: socket.create_connection(('127.0.0.1', ${world.tcpPort}), 1))
attempt('tcp6', lambda: socket.create_connection(('::1', ${world.tcpPort}), 1))`,
    ),
    attack(
      'TCP and UDP to public addresses',
      `
import socket
attempt('tcp', lambda: socket.create_connection(('1.1.1.1', 80), 1))
attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('8.8.8.8', 53)))
attempt('udp to the host', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', ${world.udpPort})))
import urllib.request
attempt('http', lambda: urllib.request.urlopen('http://example.com', timeout=1))`,
    ),
    attack(
      'DNS',
      `
import socket
attempt('name', lambda: socket.gethostbyname('example.com'))
attempt('addresses', lambda: socket.getaddrinfo('example.com', 80))`,
    ),
    attack(
      'other socket families',
      `
import socket
for family in ('AF_UNIX', 'AF_NETLINK', 'AF_PACKET', 'AF_VSOCK', 'AF_ALG'):
    if hasattr(socket, family):
        attempt(family, lambda: socket.socket(getattr(socket, family), socket.SOCK_RAW if family in ('AF_NETLINK', 'AF_PACKET') else socket.SOCK_STREAM))
def unix(path):
    s = socket.socket(socket.AF_UNIX); s.connect(path); return s
attempt('unix socket of the host', lambda: unix(${text(world.unixSocket)}))`,
    ),
    attack(
      '/etc/shadow and other files of the system',
      `
for path in ('/etc/shadow', '/etc/passwd', '/etc/ssh', '/etc/hostname', '/etc/resolv.conf', '/var/log', '/proc/1/root/etc/shadow', '/proc/self/root/etc/passwd'):
    attempt(path, lambda: os.listdir(path) if os.path.isdir(path) else open(path).read())`,
    ),
    attack(
      "/root and the host's home",
      `
for path in ('/root', '/home', ${text(world.home)}, os.path.expanduser('~nobody'), '/tmp/..' + ${text(world.home)}):
    attempt(path, lambda: os.listdir(path))
attempt('secret file', lambda: open(${text(world.secretFile)}).read())`,
    ),
    attack(
      'the repository',
      `
attempt('list', lambda: os.listdir(${text(world.repository)}))
attempt('read', lambda: open(${text(`${world.repository}/package.json`)}).read())
for base in ('/work', '/opt', '/srv', '/usr/local', '/mnt'):
    attempt(base, lambda: [p for p, _, names in os.walk(base) if 'package.json' in names], lambda found: not found)`,
    ),
    attack(
      'the environment of the parent',
      `
attempt('environ', lambda: dict(os.environ), lambda e: set(e) <= {'LC_CTYPE'})
for pid in ('self', '1', '2'):
    attempt('environ of ' + pid, lambda: open('/proc/%s/environ' % pid, 'rb').read(), lambda b: b in (b'', b'LC_CTYPE=C.UTF-8\\0'))
attempt('environ of the parent', lambda: open('/proc/${world.runnerPid}/environ').read())`,
    ),
    attack(
      '/proc of other processes',
      `
pids = [int(p) for p in os.listdir('/proc') if p.isdigit()]
attempt('count', lambda: pids, lambda found: len(found) <= 4)
attempt('command line of the parent', lambda: open('/proc/${world.runnerPid}/cmdline').read())
attempt('memory of process 1', lambda: open('/proc/1/mem', 'r+b').read(1))
attempt('descriptors of process 1', lambda: [os.readlink('/proc/1/fd/' + d) for d in os.listdir('/proc/1/fd')], lambda links: all(l.startswith(('socket:', 'pipe:', '/dev/null', 'anon_inode:')) for l in links))
attempt('kernel memory', lambda: open('/proc/kcore', 'rb').read(1))
attempt('sysrq', lambda: put('/proc/sysrq-trigger', 'h'))`,
    ),
    attack(
      'writing outside of scratch',
      `
for path in ('/x', '/usr/x', '/usr/bin/x', '/usr/lib/x', '/etc/x', '/dev/x', '/dev/shm/x', '/proc/x', '/sys/x', '/opt/x', '/opt/node/bin/x', '/var/tmp/x', '/run/x', '/usr/bin/env', sys.executable):
    attempt(path, lambda: put(path, 'x'))
attempt('hostname', lambda: put('/proc/sys/kernel/hostname', 'x'))
attempt('core pattern', lambda: put('/proc/sys/kernel/core_pattern', 'x'))
attempt('oom score', lambda: put('/proc/self/oom_score_adj', '-1000'))
attempt('chmod', lambda: os.chmod('/usr/bin/env', 0o777))
attempt('remove', lambda: os.remove('/usr/bin/env'))
os.makedirs('/scratch/a/b'); open('/scratch/a/b/c', 'w').write('x'); open('/tmp/d', 'w').write('x')`,
    ),
    attack(
      'filling scratch',
      `
written = 0
def fill():
    global written
    for i in range(1000):
        with open('/scratch/f%d' % i, 'wb', buffering=0) as f:
            for _ in range(8):
                written += f.write(b'x' * 131072)
attempt('fill', fill)
print('WRITTEN', written)`,
      { limits: { scratchBytes: 4 * MIB }, problem: ({ stdout }) => (Number(/WRITTEN (\d+)/.exec(stdout)?.[1]) <= 4 * MIB ? null : 'more was written than allowed') },
    ),
    attack(
      'one file larger than scratch',
      `
def fill():
    with open('/scratch/f', 'wb') as f:
        f.truncate(1 << 40)
attempt('sparse', fill)`,
    ),
    attack(
      'empty files without end',
      `
i = 0
while True:
    i += 1
    os.close(os.open('/scratch/%d' % i, os.O_CREAT))`,
      { silent: true, ends: ['killed', 'error'], limits: { wallMs: 8000 } },
    ),
    attack(
      'symlinks out of scratch',
      `
for index, target in enumerate(('/etc/shadow', '/proc/1/root/etc/shadow', '../../../../etc/passwd', '/proc/self/cwd/../../etc/passwd', ${text(world.secretFile)}, '/proc/${world.runnerPid}/root/etc/passwd')):
    os.symlink(target, 'link%d' % index)
    attempt(target, lambda: open('link%d' % index).read())
attempt('hard link', lambda: os.link('/usr/bin/env', '/scratch/env'))
os.symlink('/usr/lib', 'library')
attempt('write through a link', lambda: put('library/x', 'x'))`,
    ),
    attack(
      'fork bomb',
      `
def bomb():
    while True:
        os.fork()
attempt('fork', bomb)
time.sleep(0.2)`,
      { ends: ['ok', 'killed', 'timeout'], limits: { wallMs: 3000 } },
    ),
    attack(
      'fork bomb that never gives up',
      `
while True:
    try:
        os.fork()
    except OSError:
        pass`,
      { silent: true, ends: ['killed', 'timeout'], limits: { wallMs: 700 } },
    ),
    attack(
      'threads without end',
      `
import threading
def bomb():
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
attempt('threads', bomb)
print('COUNT', threading.active_count())
os._exit(0)`,
      { ends: ['ok', 'killed'], problem: ({ stdout }) => (Number(/COUNT (\d+)/.exec(stdout)?.[1] ?? 0) <= 32 ? null : 'too many threads') },
    ),
    attack(
      'memory bomb',
      `
held = []
while True:
    held.append(bytearray(1 << 20))`,
      { silent: true, ends: ['memory_limit'] },
    ),
    attack(
      'memory bomb of many processes',
      `
for _ in range(12):
    if os.fork() == 0:
        held = bytearray(os.urandom(1 << 20) * 100)
        time.sleep(60)
time.sleep(60)`,
      { silent: true, ends: ['memory_limit'], limits: { wallMs: 8000 } },
    ),
    attack(
      'memory that no process owns',
      `${LIBC}
import mmap
attempt('shared mapping', lambda: mmap.mmap(-1, 1 << 20))
attempt('memfd', lambda: os.memfd_create('x'))
attempt('System V', lambda: call(${numbers['shmget']}, 0, 1 << 20, 0o1600))
attempt('message queue', lambda: call(${numbers['msgget']}, 0, 0o1600))
from multiprocessing import shared_memory
attempt('POSIX', lambda: shared_memory.SharedMemory(create=True, size=1 << 20))`,
    ),
    attack(
      'endless output',
      `
while True:
    print('x' * 1000)`,
      { silent: true, ends: ['output_limit'], problem: ({ stdout }) => (stdout.length <= MIB ? null : 'more than 1 MiB was kept') },
    ),
    attack(
      'huge stderr',
      `
sys.stderr.write('x' * (64 << 20))`,
      { silent: true, ends: ['output_limit'], problem: ({ stderr }) => (stderr.length <= MIB ? null : 'more than 1 MiB was kept') },
    ),
    attack('endless loop', 'while True: pass', { silent: true, ends: ['timeout'], limits: { wallMs: 500 } }),
    attack(
      'sleeping, deaf to signals',
      `
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except Exception: pass
print('before', flush=True)
time.sleep(3600)`,
      { silent: true, ends: ['timeout'], limits: { wallMs: 500 }, started: ({ stdout }) => stdout === 'before\n' },
    ),
    attack('a daemon that outlives its parent', daemon(world, 'os._exit(0)'), { silent: true, started }),
    attack('a daemon, and the run is aborted', daemon(world, 'time.sleep(60)'), { silent: true, ends: ['killed'], abortAfterMs: 600, started }),
    attack('a daemon, and the run times out', daemon(world, 'time.sleep(60)'), { silent: true, ends: ['timeout'], limits: { wallMs: 600 }, started }),
    attack(
      'signals to the parent and to its group',
      `
attempt('parent', lambda: os.kill(${world.runnerPid}, signal.SIGKILL))
attempt('group of the parent', lambda: os.killpg(${world.runnerPid}, signal.SIGKILL))
os.kill(os.getppid(), signal.SIGTERM)
os.kill(-1, signal.SIGTERM) if os.fork() == 0 else time.sleep(0.05)
print('BLOCKED: only itself is left to signal', flush=True)
os.killpg(0, signal.SIGKILL)`,
      { ends: ['error', 'killed', 'ok'], silent: true },
    ),
    attack(
      'interactive input',
      `
attempt('input', input)
attempt('terminal', lambda: open('/dev/tty').read())
import getpass
attempt('password', getpass.getpass)`,
    ),
    attack('binary output', 'sys.stdout.buffer.write(bytes(range(256)) * 4)\nprint("BLOCKED: nothing to block")', {
      problem: ({ stdout }) => (stdout.includes('\uFFFD') ? null : 'bytes were not replaced'),
    }),
    attack(
      'ptrace',
      `${LIBC}
attempt('trace me', lambda: call(${numbers['ptrace']}, 0, 0, 0, 0))
attempt('attach', lambda: call(${numbers['ptrace']}, 16, 1, 0, 0))
attempt('read memory', lambda: call(${numbers['process_vm_readv']}, 1, 0, 0, 0, 0, 0))`,
    ),
    attack(
      'mount, unshare, setns, chroot',
      `${LIBC}
attempt('unshare user', lambda: call(${numbers['unshare']}, 0x10000000))
attempt('unshare mounts', lambda: call(${numbers['unshare']}, 0x00020000))
attempt('mount', lambda: call(${numbers['mount']}, ctypes.c_char_p(b'none'), ctypes.c_char_p(b'/scratch'), ctypes.c_char_p(b'tmpfs'), 0, 0))
attempt('remount', lambda: call(${numbers['mount']}, 0, ctypes.c_char_p(b'/'), 0, 32, 0))
attempt('setns', lambda: call(${numbers['setns']}, os.open('/proc/1/ns/net', os.O_RDONLY), 0))
attempt('chroot', lambda: os.chroot('/scratch'))
attempt('clone with a user namespace', lambda: call(${process.arch === 'x64' ? 56 : 220}, 0x10000000 | 17, 0, 0, 0, 0))
attempt('clone3', lambda: call(435, ctypes.create_string_buffer(88), 88))
import subprocess
attempt('bubblewrap inside', lambda: subprocess.run(['/usr/bin/bwrap', '--ro-bind', '/', '/', '/usr/bin/env'], capture_output=True), lambda r: r.returncode != 0)
attempt('unshare command', lambda: subprocess.run(['/usr/bin/unshare', '--user', '--map-root-user', '/usr/bin/env'], capture_output=True), lambda r: r.returncode != 0)`,
    ),
    attack(
      'every system call on the list',
      `${LIBC}
for name, number in ${JSON.stringify(numbers).replaceAll('null', 'None')}.items():
    if number is None: continue
    try:
        call(number, 0, 0, 0, 0, 0, 0)
    except OSError as error:
        print('BLOCKED' if error.errno == errno.EPERM else 'ESCAPED', name, error)
    else:
        print('ESCAPED', name)
attempt('an unknown call', lambda: call(470, 0))
${process.arch === 'x64' ? "attempt('x32 socket', lambda: call(0x40000000 | 41, 2, 1, 0))" : ''}`,
    ),
    attack(
      'device files',
      `
import stat
for path in ('/dev/mem', '/dev/kmsg', '/dev/sda', '/dev/vda', '/dev/ptmx', '/dev/fuse', '/dev/kvm', '/dev/net/tun'):
    attempt(path, lambda: os.open(path, os.O_RDONLY))
for device in ((8, 0), (254, 0), (1, 1)):
    attempt('mknod %d:%d' % device, lambda: os.mknod('/scratch/device%d' % device[0], 0o600 | stat.S_IFBLK, os.makedev(*device)))
attempt('open a made device', lambda: os.open('/scratch/device8', os.O_RDONLY))
attempt('terminal', os.openpty)`,
    ),
    attack(
      'becoming root',
      `
for name in ('setuid', 'seteuid', 'setgid', 'setegid'):
    attempt(name, lambda: getattr(os, name)(0))
attempt('groups', lambda: os.setgroups([0]))
import subprocess
attempt('su', lambda: subprocess.run(['/usr/bin/su', '-c', 'id'], stdin=subprocess.DEVNULL, capture_output=True, text=True), lambda r: r.returncode != 0)
open('/scratch/tool', 'w').write('#!/bin/sh\\nid -u\\n'); os.chmod('/scratch/tool', 0o6755)
attempt('setuid file', lambda: subprocess.run(['/scratch/tool'], capture_output=True, text=True).stdout, lambda o: o.strip() != '0')
status = open('/proc/self/status').read()
attempt('capabilities', lambda: [line for line in status.splitlines() if line.startswith('Cap')], lambda lines: all(int(line.split()[1], 16) == 0 for line in lines if not line.startswith('CapBnd')))
attempt('new privileges', lambda: 'NoNewPrivs:\\t1' in status, lambda on: on)
attempt('user id', lambda: os.getuid(), lambda uid: uid != 0)`,
    ),
    attack(
      'descriptors of the parent',
      `
found = [int(d) for d in os.listdir('/proc/self/fd')]
for descriptor in range(3, 256):
    try: os.fstat(descriptor)
    except OSError: continue
    attempt('descriptor %d' % descriptor, lambda: os.listdir(descriptor), lambda names: 'main.py' in names)
    attempt('above %d' % descriptor, lambda: os.listdir(os.open('..', os.O_RDONLY, dir_fd=descriptor)), lambda names: 'scratch' in names)
print('BLOCKED: descriptors', found)`,
    ),
    attack(
      'undoing the limits',
      `${LIBC}
import resource
for name in ('RLIMIT_DATA', 'RLIMIT_NPROC', 'RLIMIT_NOFILE', 'RLIMIT_FSIZE', 'RLIMIT_CPU', 'RLIMIT_CORE', 'RLIMIT_MSGQUEUE'):
    attempt(name, lambda: resource.setrlimit(getattr(resource, name), (resource.RLIM_INFINITY, resource.RLIM_INFINITY)))
attempt('processors', lambda: os.sched_setaffinity(0, range(64)))
attempt('one processor', lambda: os.sched_getaffinity(0), lambda cpus: len(cpus) == 1)
attempt('priority', lambda: os.nice(-10))
attempt('real time', lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))`,
    ),
  ];
}

/** Else there was no daemon to be ended. */
const started = ({ stdout }: Execution) => stdout.includes('started');

/** Forks twice, leaves its session and its pipes, and is found on the host by its command line. */
function daemon(world: World, after: string): string {
  return `
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for descriptor in range(256):
            try: os.close(descriptor)
            except OSError: pass
        os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(600) # ${world.marker}'])
    os._exit(0)
os.wait()
time.sleep(0.1)
print('started', flush=True)
${after}`;
}
