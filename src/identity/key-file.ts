import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { z } from 'zod';

/** An Ed25519 key pair that decisions are signed with. */
export interface SigningKey {
  keyId: string;
  /** Who signs with it: `gateway`, `cli`. */
  owner: string;
  /** The only approver it speaks for; null: a gateway's, which vouches for everybody it has authenticated. */
  subject: string | null;
  /** The most that it may claim; null: any role. */
  roles: string[] | null;
  /** Hex of 32 bytes. */
  publicKey: string;
  /** Unix ms. */
  createdAt: number;
  /** 32 bytes. A function, so that no log or JSON ever shows it. */
  secretKey(): Uint8Array;
}

/** A file of the keyring can't be used; the message names it and the fix. */
export class KeyringError extends Error {
  override readonly name = 'KeyringError';
}

const hex32 = z.string().regex(/^[0-9a-f]{64}$/);
const keyFileSchema = z.strictObject({
  keyId: z.string().min(1).max(200),
  owner: z.string().min(1),
  subject: z.string().min(1).max(200).nullable(),
  roles: z.array(z.string().min(1).max(200)).nullable(),
  publicKey: hex32,
  secretKey: hex32,
  createdAt: z.number().int(),
});

/** @throws {KeyringError} when it can't be read, is no key, or others may read it; null when there is none */
export async function readKeyFile(file: string): Promise<SigningKey | null> {
  const text = await readOwn(file);
  if (text === null) return null;
  const parsed = keyFileSchema.safeParse(parseJson(text));
  if (!parsed.success) throw new KeyringError(`${file} is no signing key (field "${parsed.error.issues[0]?.path.join('.') ?? ''}"). Restore it, or remove it to do without.`);
  const { secretKey, ...key } = parsed.data;
  return { ...key, secretKey: () => new Uint8Array(Buffer.from(secretKey, 'hex')) };
}

/** Writes a new key file, whole or not at all, for its owner's eyes. */
export async function writeKeyFile(file: string, key: SigningKey): Promise<void> {
  const { secretKey, ...rest } = key;
  await writeWhole(file, JSON.stringify({ ...rest, secretKey: Buffer.from(secretKey()).toString('hex') }, null, 2), { replace: false });
}

/**
 * Appears under its name whole or not at all, also for another process and after a power cut.
 * @returns false when the file is there already and is not to be replaced
 */
export async function writeWhole(file: string, text: string, options: { replace: boolean }): Promise<boolean> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (options.replace) await rename(temporary, file);
    else await link(temporary, file);
    return true;
  } catch (error) {
    if (!options.replace && (error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Null when there is no such file. */
async function readOwn(file: string): Promise<string | null> {
  try {
    const { mode } = await stat(file);
    // Windows has no such bits
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new KeyringError(`${file} may be read by others (mode ${(mode & 0o777).toString(8)}). Take it as known: make a new key, or run chmod 600 if nobody else has read it.`);
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (error instanceof KeyringError) throw error;
    throw new KeyringError(`${file} can't be read: ${(error as Error).message}. Let the user that runs this own it.`, { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
