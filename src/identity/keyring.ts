import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { DecisionKey } from '../contracts/snapshot.ts';
import { KeyringError, readKeyFile, writeKeyFile, writeWhole, type SigningKey } from './key-file.ts';

export { KeyringError, type SigningKey } from './key-file.ts';

/** Whom a key speaks for, and the most it may claim. Nothing: a gateway's, for everybody that it has authenticated. */
export interface KeyBinding {
  subject?: string | null;
  roles?: string[] | null;
}

/** Secret keys of one installation or one person, in files that nobody else may read. */
export interface Keyring {
  folder: string;
  /** The key that signs now; the first call makes it, once, also when several processes start together. Other roles than it was made for make a new one. */
  current(owner: string, binding?: KeyBinding): Promise<SigningKey>;
  get(keyId: string): Promise<SigningKey | null>;
  /** A new key that is not current. */
  create(owner: string, binding?: KeyBinding): Promise<SigningKey>;
  /** A new key that signs from now on. The old one stays: tasks that began before know only that one. */
  rotate(owner: string, binding?: KeyBinding): Promise<SigningKey>;
  /** Newest first. */
  list(): Promise<SigningKey[]>;
}

const OWNER = /^[a-z][a-z0-9-]{0,39}$/;
const KEY_ID = /^[a-z0-9-]{1,100}$/;

/** What the store and snapshots know of a key. */
export function publicHalf({ keyId, publicKey, subject, roles }: SigningKey): DecisionKey {
  return { keyId, publicKey, subject, roles };
}

/** Opens the folder, or makes it. @throws {KeyringError} when it can't be used */
export async function openKeyring(folder: string): Promise<Keyring> {
  await privateFolder(folder);
  const fileOf = (keyId: string): string => join(folder, `${keyId}.json`);

  async function get(keyId: string): Promise<SigningKey | null> {
    return KEY_ID.test(keyId) ? readKeyFile(fileOf(keyId)) : null;
  }

  async function list(): Promise<SigningKey[]> {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    const keys = await Promise.all(names.map((name) => get(name.slice(0, -'.json'.length))));
    return keys.filter((key) => key !== null).toSorted((left, right) => right.createdAt - left.createdAt || (left.keyId < right.keyId ? -1 : 1));
  }

  async function create(owner: string, binding: KeyBinding = {}): Promise<SigningKey> {
    checkOwner(owner);
    const { secretKey, publicKey } = ed25519.keygen();
    const { subject, roles } = normalised(binding);
    // "newest" must not depend on a clock's steps
    const createdAt = Math.max(Date.now(), ((await list())[0]?.createdAt ?? 0) + 1);
    const keyId = `${owner}-${randomBytes(8).toString('hex')}`;
    const key: SigningKey = { keyId, owner, subject, roles, publicKey: bytesToHex(publicKey), createdAt, secretKey: () => secretKey.slice() };
    await writeKeyFile(fileOf(keyId), key);
    return key;
  }

  async function current(owner: string, binding: KeyBinding = {}): Promise<SigningKey> {
    const pointer = join(folder, pointerName(owner, binding));
    const named = await readPointer(pointer);
    const kept = named === null ? null : await get(named);
    if (kept && sameRoles(kept.roles, normalised(binding).roles)) return kept;
    const made = await create(owner, binding);
    // replaced only when it leads nowhere, or to a key for other roles
    if (await writeWhole(pointer, made.keyId, { replace: named !== null })) return made;
    await rm(fileOf(made.keyId));
    return current(owner, binding);
  }

  return {
    folder,
    get,
    create,
    current,
    list,

    async rotate(owner, binding = {}) {
      const key = await create(owner, binding);
      await writeWhole(join(folder, pointerName(owner, binding)), key.keyId, { replace: true });
      return key;
    },
  };
}

async function privateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (process.platform !== 'win32' && ((await stat(folder)).mode & 0o077) !== 0) await chmod(folder, 0o700);
  } catch (error) {
    throw new KeyringError(`The folder of signing keys ${folder} can't be used: ${(error as Error).message}. Set LOOPWRIGHT_KEYS to one that this user owns.`, { cause: error });
  }
}

function checkOwner(owner: string): void {
  if (!OWNER.test(owner)) throw new KeyringError(`"owner" must be a short name in small letters, such as gateway or cli, not ${JSON.stringify(owner)}`);
}

/** Subjects may hold any character. */
function pointerName(owner: string, { subject }: KeyBinding): string {
  checkOwner(owner);
  return subject ? `${owner}.${createHash('sha256').update(subject).digest('hex').slice(0, 32)}.current` : `${owner}.current`;
}

async function readPointer(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new KeyringError(`${file} can't be read: ${(error as Error).message}`, { cause: error });
  }
}

function normalised({ subject, roles }: KeyBinding): { subject: string | null; roles: string[] | null } {
  return { subject: subject ?? null, roles: roles ? [...new Set(roles)].sort() : null };
}

function sameRoles(left: string[] | null, right: string[] | null): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
