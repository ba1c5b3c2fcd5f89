import { z } from 'zod';

/** The caller. */
export const meSchema = z
  .object({
    subject: z.string(),
    tenant: z.string(),
    roles: z.array(z.string()),
    via: z.enum(['key', 'session', 'oidc', 'queue', 'local']),
    /** What the caller may do: `task.start`, `task.cancel`, `approval.decide`, `settings.change` …; for showing and hiding, checked again at each request. */
    actions: z.array(z.string()),
    /** The server's clock, so that a page can show how long is left. */
    now: z.iso.datetime(),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof meSchema>;

/** From the console's page `/sign-in#<token>`; the answer sets the session cookie. */
export const signInBodySchema = z.strictObject({ token: z.string().min(1).max(500) }).meta({ id: 'SignInBody' });

export const healthSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
/** Whether the gateway can serve, part by part. */
export const readinessSchema = z
  .object({
    ready: z.boolean(),
    checks: z.object({
      database: z.object({ ok: z.boolean(), detail: z.string() }),
      migrations: z.object({ ok: z.boolean(), detail: z.string() }),
      temporal: z.object({ ok: z.boolean(), detail: z.string() }),
      workers: z.object({ ok: z.boolean(), detail: z.string() }),
    }),
  })
  .meta({ id: 'Readiness' });
export type Readiness = z.infer<typeof readinessSchema>;
