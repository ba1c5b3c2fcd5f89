import { chmod, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyringError, openKeyring, publicHalf } from '../../../src/identity/keyring.ts';
import { createSigner, NoSigningKeyError, type Decided } from '../../../src/identity/sign-decision.ts';
import { isSigned } from '../../../src/policy/decision-token.ts';

let folder: string;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'loopwright-keys-')), 'keys');
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

const jsonFiles = async () => (await readdir(folder)).filter((name) => name.endsWith('.json'));

describe('a keyring', () => {
  it('makes a key once and finds it again; nobody else may read it', async () => {
    const ring = await openKeyring(folder);
    const key = await ring.current('gateway');
    expect(key).toMatchObject({ owner: 'gateway', subject: null, roles: null, publicKey: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect((await ring.current('gateway')).keyId).toBe(key.keyId);
    expect((await (await openKeyring(folder)).current('gateway')).keyId).toBe(key.keyId);
    expect((await ring.get(key.keyId))?.secretKey()).toEqual(key.secretKey());
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('twenty that start together have one key', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, async () => (await openKeyring(folder)).current('gateway')));
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(1);
    expect(await jsonFiles()).toEqual([`${keys[0]!.keyId}.json`]);
  });

  it('keeps keys of owners and of persons apart; other roles make a new key', async () => {
    const ring = await openKeyring(folder);
    const gateway = await ring.current('gateway');
    const carol = await ring.current('cli', { subject: 'carol/../ü@example.com', roles: ['finance', 'approver', 'finance'] });
    const dave = await ring.current('cli', { subject: 'dave', roles: ['approver'] });
    expect(new Set([gateway, carol, dave].map(({ keyId }) => keyId)).size).toBe(3);
    expect(publicHalf(carol)).toEqual({ keyId: carol.keyId, publicKey: carol.publicKey, subject: 'carol/../ü@example.com', roles: ['approver', 'finance'] });
    expect((await ring.current('cli', { subject: 'carol/../ü@example.com', roles: ['approver', 'finance'] })).keyId).toBe(carol.keyId);
    const promoted = await ring.current('cli', { subject: 'dave', roles: ['admin'] });
    expect(promoted.keyId).not.toBe(dave.keyId);
    expect((await ring.current('cli', { subject: 'dave', roles: ['admin'] })).keyId).toBe(promoted.keyId);
    expect((await ring.list()).map(({ keyId }) => keyId).sort()).toEqual([gateway, carol, dave, promoted].map(({ keyId }) => keyId).sort());
  });

  it('rotation: the new one signs, the old one stays', async () => {
    const ring = await openKeyring(folder);
    const old = await ring.current('gateway');
    const newer = await ring.rotate('gateway');
    expect((await ring.current('gateway')).keyId).toBe(newer.keyId);
    expect((await ring.get(old.keyId))?.publicKey).toBe(old.publicKey);
    await ring.create('gateway');
    expect((await ring.current('gateway')).keyId).toBe(newer.keyId);
    await unlink(join(folder, `${newer.keyId}.json`));
    expect((await ring.current('gateway')).keyId).not.toBe(newer.keyId);
  });

  it('never shows a secret where it is printed or written as JSON', async () => {
    const key = await (await openKeyring(folder)).current('gateway');
    const secret = Buffer.from(key.secretKey()).toString('hex');
    expect(await readFile(join(folder, `${key.keyId}.json`), 'utf8')).toContain(secret);
    for (const shown of [JSON.stringify(key), inspect(key, { depth: 9, showHidden: true }), JSON.stringify(publicHalf(key)), String(key)]) expect(shown).not.toContain(secret);
  });

  it('refuses what it cannot trust, naming the file and the fix', async () => {
    const ring = await openKeyring(folder);
    const { keyId } = await ring.current('gateway');
    const file = join(folder, `${keyId}.json`);
    await chmod(file, 0o640);
    await expect(ring.get(keyId)).rejects.toThrow(/may be read by others \(mode 640\).*chmod 600/);
    await chmod(file, 0o600);
    await writeFile(file, '{"keyId":');
    await expect(ring.current('gateway')).rejects.toThrow(KeyringError);
    await writeFile(file, JSON.stringify({ keyId, owner: 'gateway', subject: null, roles: null, publicKey: 'x', secretKey: 'x', createdAt: 1 }));
    await expect(ring.list()).rejects.toThrow(`${keyId}.json is no signing key (field "publicKey")`);
    await expect(ring.current('../gateway')).rejects.toThrow('"owner"');
    expect(await ring.get('../../etc/passwd')).toBeNull();
    expect(await ring.get('gateway-0')).toBeNull();
    await writeFile(join(folder, '..', 'file'), '');
    await expect(openKeyring(join(folder, '..', 'file'))).rejects.toThrow(/LOOPWRIGHT_KEYS/);
  });
});

describe('signing a decision', () => {
  const decided: Decided = {
    taskId: 'task-1',
    approvalId: 'a1.t1.c1',
    argumentsHash: 'h',
    approver: 'carol',
    roles: ['finance', 'approver'],
    decision: 'edit',
    reason: '金额有误 😀',
    value: { amount: 1e21, note: undefined },
  };

  it('is by the newest key that the task knows, for exactly what was decided', async () => {
    const ring = await openKeyring(folder);
    const first = await ring.current('gateway');
    const second = await ring.rotate('gateway');
    const signer = createSigner(ring, 'gateway');
    const early = await signer.sign(decided, [publicHalf(first)]);
    expect(early.keyId).toBe(first.keyId);
    const token = await signer.sign(decided, [publicHalf(first), { keyId: 'elsewhere' }, publicHalf(second)], 1_000);
    expect(token.keyId).toBe(second.keyId);
    const { signature, ...rest } = token;
    const statement = { ...decided, ...rest, value: { amount: 1e21 } };
    const { publicKey } = (await ring.get(token.keyId))!;
    expect(isSigned(statement, signature, publicKey)).toBe(true);
    expect(token.expiresAt).toBeGreaterThan(Date.now());
    expect(token.expiresAt).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(token.roles).toEqual(['approver', 'finance']);
    expect(token.tokenId).not.toBe(early.tokenId);
    for (const change of [{ approver: 'mallory' }, { taskId: 'task-2' }, { argumentsHash: 'g' }, { roles: ['admin'] }, { value: null }, { reason: '' }, { decision: 'approve' }])
      expect(isSigned({ ...statement, ...change }, signature, publicKey)).toBe(false);
  });

  it("a person's key signs for that person alone and claims no more than its roles", async () => {
    const ring = await openKeyring(folder);
    const carol = await ring.current('cli', { subject: 'carol', roles: ['approver'] });
    const gateway = await ring.current('gateway');
    const keys = [publicHalf(carol), publicHalf(gateway)];
    const signer = createSigner(ring, 'cli');
    expect(await signer.sign(decided, keys)).toMatchObject({ keyId: carol.keyId, roles: ['approver'] });
    await expect(signer.sign({ ...decided, approver: 'mallory' }, keys)).rejects.toThrow(/does not speak for mallory/);
    await expect(signer.sign(decided, [publicHalf(gateway)])).rejects.toThrow(NoSigningKeyError);
    await expect(createSigner(ring, 'gateway').sign(decided, [])).rejects.toThrow(/knows none of the gateway keys/);
    await expect(signer.sign({ ...decided, value: 10n }, keys)).rejects.toThrow(TypeError);
  });
});
