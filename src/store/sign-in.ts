import type { Principal } from '../contracts/identity.ts';
import type { Audit } from './audit.ts';
import { camelCase, type Executor } from './database.ts';
import { toRow } from './row.ts';
import { hashSecret, newSecret, type AuditActor, type CredentialProblem } from './secret.ts';

export type SignInLinks = ReturnType<typeof createSignInLinks>;
export type BrowserSessions = ReturnType<typeof createBrowserSessions>;

/** Whom a link signs in, and what the session may do. */
export type SignedIn = Pick<Principal, 'subject' | 'tenant' | 'roles'>;

const LINK_MS = 15 * 60_000;
/** A session ends when it is not used for so long, and at the latest after so long, ms. */
const IDLE_MS = 12 * 3_600_000;
const LONGEST_MS = 7 * 24 * 3_600_000;
/** A session's end is moved on only when that gains so much, ms: not every request writes. */
const SLIDE_MS = 60_000;

/** One-time links that sign a person in. Making and using one is in the audit. */
export function createSignInLinks(database: Executor, audit: Audit) {
  return {
    /** @returns the token for the link, this once. @param lifetimeMs default 15 minutes */
    async create(person: SignedIn, { by, via }: AuditActor, lifetimeMs = LINK_MS): Promise<{ token: string; expiresAt: Date }> {
      const token = newSecret();
      const tokenHash = hashSecret(token);
      const now = Date.now();
      const { subject, tenant, roles } = person;
      const expiresAt = new Date(now + lifetimeMs);
      await database.transaction().execute(async (transaction) => {
        await camelCase(transaction)
          .insertInto('signInLink')
          .values(toRow({ tokenHash, subject, tenant, roles, createdAt: new Date(now), expiresAt }))
          .execute();
        const key = `sign_in_link.created/${tokenHash}`;
        await audit.append({ tenant, key, actor: by, actorVia: via, action: 'sign_in_link.created', target: subject, after: { roles, expiresAt } }, transaction);
      });
      return { token, expiresAt };
    },

    /** Uses a link up: of several at once exactly one is answered with the person. */
    use(token: string): Promise<SignedIn | CredentialProblem> {
      const tokenHash = hashSecret(token);
      return database.transaction().execute(async (transaction) => {
        const now = new Date();
        const used = await camelCase(transaction)
          .updateTable('signInLink')
          .set({ usedAt: now })
          .where('tokenHash', '=', tokenHash)
          .where('usedAt', 'is', null)
          .where('expiresAt', '>', now)
          .returning(['subject', 'tenant', 'roles'])
          .executeTakeFirst();
        if (!used) {
          const link = await camelCase(transaction).selectFrom('signInLink').select('usedAt').where('tokenHash', '=', tokenHash).executeTakeFirst();
          return { problem: !link ? ('unknown' as const) : link.usedAt ? ('used' as const) : ('expired' as const) };
        }
        const entry = { actor: used.subject, actorVia: 'session', action: 'session.opened', after: { roles: used.roles } };
        await audit.append({ tenant: used.tenant, key: `session.opened/${tokenHash}`, ...entry }, transaction);
        return used;
      });
    },
  };
}

/** Signed-in browsers. The cookie holds a secret of which only a hash is kept. */
export function createBrowserSessions(database: Executor) {
  const live = (now: Date) => camelCase(database).updateTable('browserSession').set({ revokedAt: now }).where('revokedAt', 'is', null);

  return {
    /** @returns the cookie's secret, this once. It ends when it is not used for `idleMs`, at the latest after `longestMs`: 12 hours and 7 days. */
    async create({ subject, tenant, roles }: SignedIn, { idleMs = IDLE_MS, longestMs = LONGEST_MS } = {}): Promise<{ session: string; expiresAt: Date; endsAt: Date }> {
      const session = newSecret();
      const now = Date.now();
      const endsAt = new Date(now + longestMs);
      const expiresAt = new Date(now + Math.min(idleMs, longestMs));
      await camelCase(database)
        .insertInto('browserSession')
        .values(toRow({ sessionHash: hashSecret(session), subject, tenant, roles, createdAt: new Date(now), expiresAt, endsAt }))
        .execute();
      return { session, expiresAt, endsAt };
    },

    /** Whose session this is; its end moves on, up to the longest. */
    async authenticate(session: string, idleMs = IDLE_MS): Promise<Principal | CredentialProblem> {
      const sessionHash = hashSecret(session);
      const row = await camelCase(database).selectFrom('browserSession').selectAll().where('sessionHash', '=', sessionHash).executeTakeFirst();
      if (!row) return { problem: 'unknown' };
      if (row.revokedAt) return { problem: 'revoked' };
      const now = Date.now();
      if (row.expiresAt.getTime() <= now) return { problem: 'expired' };
      const expiresAt = Math.min(now + idleMs, row.endsAt.getTime());
      if (expiresAt - row.expiresAt.getTime() > SLIDE_MS)
        await camelCase(database)
          .updateTable('browserSession')
          .set({ expiresAt: new Date(expiresAt) })
          .where('sessionHash', '=', sessionHash)
          .execute();
      return { subject: row.subject, tenant: row.tenant, roles: row.roles, via: 'session', credentialId: sessionHash.slice(0, 16) };
    },

    /** Signing out. False when it had ended. */
    async revoke(session: string): Promise<boolean> {
      const ended = await live(new Date()).where('sessionHash', '=', hashSecret(session)).executeTakeFirst();
      return ended.numUpdatedRows > 0n;
    },

    /** Signs a person out everywhere. Returns how many sessions ended. */
    async revokeAll(tenant: string, subject: string): Promise<number> {
      const ended = await live(new Date()).where('tenant', '=', tenant).where('subject', '=', subject).executeTakeFirst();
      return Number(ended.numUpdatedRows);
    },
  };
}
