import { execFileSync, spawnSync } from 'node:child_process';
import { PostgresUnavailable } from './postgres-unavailable.ts';

/** PostgreSQL refuses to run as root, so root runs it as somebody else. */
export interface Account {
  /** Owner of the cluster's files; null: whoever runs this process. */
  owner: { uid: number; gid: number } | null;
  /** How to run a program as this account. */
  command(program: string, args: string[]): { program: string; args: string[]; uid?: number; gid?: number };
}

/**
 * Who runs the server. Not root: we do. Root: the user `postgres`, made if absent, or `nobody`. That user can't reach a folder under
 * /root or in a private temporary folder; there it is lent the one capability that is missing (`setpriv`), instead of opening folders that are not ours.
 */
export function chooseAccount(paths: string[], log: (line: string) => void): Account {
  if (process.getuid?.() !== 0) return { owner: null, command: (program, args) => ({ program, args }) };
  const owner = findUser('postgres') ?? createUser(log) ?? findUser('nobody');
  if (!owner) throw new PostgresUnavailable('it must not run as root, and there is no user "postgres" or "nobody" to run it as');
  const unreachable = paths.find((path) => !reachable(path, owner.uid, owner.gid));
  if (unreachable === undefined) return { owner, command: (program, args) => ({ program, args, ...owner }) };

  // no_setuid_fixup: without it access(2), by which PostgreSQL looks at its own programs, does not count the capability
  const capability = ['--securebits', '+no_setuid_fixup', '--inh-caps', '+dac_override', '--ambient-caps', '+dac_override'];
  const lend = ['--reuid', String(owner.uid), '--regid', String(owner.gid), '--clear-groups', ...capability, '--'];
  if (spawnSync('setpriv', [...lend, 'ls', unreachable], { stdio: 'ignore' }).status !== 0) {
    throw new PostgresUnavailable(
      `as root it runs as another user (uid ${owner.uid}), who can't read ${unreachable}. Put the project into a folder that everybody may enter, or run it as an ordinary user`,
    );
  }
  return { owner, command: (program, args) => ({ program: 'setpriv', args: [...lend, program, ...args] }) };
}

function findUser(name: string): { uid: number; gid: number } | null {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}

function createUser(log: (line: string) => void): { uid: number; gid: number } | null {
  const made = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'], { stdio: 'ignore' });
  if (made.status === 0) log('Made the system user "postgres": PostgreSQL does not run as root');
  return made.status === 0 ? findUser('postgres') : null;
}

/** Whether a user may enter every folder on the way to a path, and the path itself. */
function reachable(path: string, uid: number, gid: number): boolean {
  return spawnSync('ls', [path], { uid, gid, stdio: 'ignore', cwd: '/' }).status === 0;
}
