import { describe, expect, it } from 'vitest';
import { sandboxCommand, type Surroundings } from '../../../src/sandbox/drivers/bubblewrap/arguments.ts';
import { DEFAULT_LIMITS } from '../../../src/sandbox/limits.ts';

const around: Surroundings = {
  programs: { bwrap: '/usr/bin/bwrap', taskset: '/usr/bin/taskset', prlimit: '/usr/bin/prlimit', env: '/usr/bin/env', setpriv: '/usr/bin/setpriv' },
  interpreter: {
    label: 'python',
    binds: [['/home/me/python/bin', '/home/me/python/bin']],
    overheadBytes: 1024,
    command: () => ['/home/me/python/bin/python3', '/scratch/main.py'],
  },
  user: null,
  processor: 1,
  systemFolder: (path) => (path === '/lib' ? { link: 'usr/lib' } : path.startsWith('/usr/') ? 'folder' : null),
  hidden: [],
};
const program = { language: 'python' as const, code: 'print(1)', stdin: null, files: { 'data/a.json': '{}' } };
const command = (change: Partial<Surroundings> = {}) => sandboxCommand(program, DEFAULT_LIMITS, { ...around, ...change });
/** Every place where the options stand one after the other. */
const has = (parameters: string[], ...options: string[]) => parameters.some((_, index) => options.every((option, offset) => parameters[index + offset] === option));

describe('bubblewrap arguments', () => {
  it('separate everything that can be separated', () => {
    const { file, parameters } = command();
    expect([file, ...parameters.slice(0, 3)]).toEqual(['/usr/bin/taskset', '--cpu-list', '1', '/usr/bin/bwrap']);
    for (const option of ['--die-with-parent', '--new-session', '--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--clearenv'])
      expect(parameters).toContain(option);
    expect(has(parameters, '--remount-ro', '/', '--')).toBe(true);
    expect(parameters).not.toContain('--share-net');
  });

  it('as root become another user and keep no capability but those it takes', () => {
    const { parameters } = command({ user: 62_000 });
    expect(parameters).not.toContain('--unshare-user');
    expect(has(parameters, '--cap-drop', 'ALL', '--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID', '--cap-add', 'CAP_SETPCAP')).toBe(true);
    expect(parameters.filter((option) => option === '--cap-add')).toHaveLength(3);
    expect(has(parameters, '--', '/usr/bin/setpriv', '--reuid=62000', '--regid=62000', '--clear-groups', '--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all')).toBe(
      true,
    );
  });

  it('bind nothing that can be written, and devices by name', () => {
    const { parameters } = command();
    expect(parameters).not.toContain('--bind');
    expect(parameters).not.toContain('--dev');
    expect(parameters.filter((_, index) => parameters[index - 1] === '--dev-bind')).toEqual(['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']);
    expect(has(parameters, '--remount-ro', '/dev')).toBe(true);
    expect(has(parameters, '--symlink', 'usr/lib', '/lib')).toBe(true);
  });

  it('cover a folder of the host only where it would be seen', () => {
    const { parameters } = command({ hidden: ['/usr/lib/node_modules/loopwright', '/home/me/work'] });
    expect(has(parameters, '--tmpfs', '/usr/lib/node_modules/loopwright', '--remount-ro', '/usr/lib/node_modules/loopwright')).toBe(true);
    expect(parameters).not.toContain('/home/me/work');
  });

  it('feed code and files into a scratch folder with a size', () => {
    const { parameters, feeds } = command();
    expect(has(parameters, '--perms', '0777', '--size', String(DEFAULT_LIMITS.scratchBytes), '--tmpfs', '/scratch')).toBe(true);
    expect(feeds).toEqual([
      { path: '/scratch/main.py', text: 'print(1)' },
      { path: '/scratch/data/a.json', text: '{}' },
    ]);
    expect(has(parameters, '--perms', '0666', '--file', '5', '/scratch/main.py')).toBe(true);
    expect(has(parameters, '--perms', '0777', '--dir', '/scratch/data')).toBe(true);
    expect(has(parameters, '--perms', '0666', '--file', '6', '/scratch/data/a.json')).toBe(true);
  });

  it('limit the program and give it no environment', () => {
    const { parameters } = command();
    const after = parameters.slice(parameters.indexOf('--') + 1);
    expect(after[0]).toBe('/usr/bin/prlimit');
    expect(after).toEqual(expect.arrayContaining(['--nproc=32', `--data=${256 * 1024 * 1024 + 1024}`, '--cpu=11', '--core=0', '--msgqueue=0']));
    expect(after.slice(-4)).toEqual(['/usr/bin/env', '-i', '/home/me/python/bin/python3', '/scratch/main.py']);
  });
});
