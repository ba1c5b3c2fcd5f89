import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createCircuit } from '../../../src/notify/circuit.ts';
import { retryAfterMs } from '../../../src/notify/delivery-error.ts';
import { createRouter } from '../../../src/notify/route.ts';
import { loadNotifyConfig } from '../../../src/notify/targets.ts';

const folder = mkdtempSync(join(tmpdir(), 'loopwright-notify-'));
afterAll(() => rmSync(folder, { recursive: true }));
const SIGNING = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const secrets = { OPS_SECRET: SIGNING, SLACK_URL: 'https://hooks.slack.com/services/T0/B0/xyz', SMTP_PASSWORD: 'hunter22' };
const webhook = { name: 'ops', channel: 'webhook', url: 'https://ops.example/hook', secretFrom: 'OPS_SECRET' };

function load(file: unknown, environment: Record<string, string> = secrets) {
  const path = join(folder, 'notify.json');
  writeFileSync(path, JSON.stringify(file));
  return loadNotifyConfig({ ...environment, LOOPWRIGHT_NOTIFY_FILE: path });
}

describe('targets of notifications', () => {
  it('are read from a file that names its secrets', () => {
    const slack = { name: 'chat', channel: 'slack', urlFrom: 'SLACK_URL', roles: ['finance'], tenants: ['*'], events: ['approval_opened'] };
    const email = { name: 'mail', channel: 'email', from: 'a@example.com', to: ['b@example.com'], host: 'smtp.example.com', port: 587, user: 'a', passwordFrom: 'SMTP_PASSWORD' };
    const config = load({ consoleUrl: 'https://console.example/', targets: [webhook, slack, email] });
    expect(config).toMatchObject({ consoleUrl: 'https://console.example', secrets: [SIGNING, secrets.SLACK_URL, 'hunter22'] });
    expect(config.targets).toMatchObject([
      { name: 'ops', tenants: ['default'], secret: SIGNING },
      { name: 'chat', url: secrets.SLACK_URL },
      { name: 'mail', encryption: 'starttls', password: 'hunter22' },
    ]);
  });

  it('of the documents can be used as they stand', () => {
    const page = readFileSync(new URL('../../../docs/notifications.md', import.meta.url), 'utf8');
    const example: unknown = JSON.parse(/```json\n([^]*?)```/.exec(page)![1]!);
    const environment = { OPS_WEBHOOK_SECRET: SIGNING, FINANCE_SLACK_URL: secrets.SLACK_URL, SMTP_PASSWORD: secrets.SMTP_PASSWORD };
    expect(load(example, environment).targets.map(({ name }) => name)).toEqual(['ops', 'finance-chat', 'on-call']);
  });

  it('or from variables, one of a kind; without any nobody is told', () => {
    const config = loadNotifyConfig({ LOOPWRIGHT_NOTIFY_WEBHOOK_URL: webhook.url, LOOPWRIGHT_NOTIFY_WEBHOOK_SECRET: SIGNING, LOOPWRIGHT_GATEWAY_PUBLIC_URL: 'https://c.example' });
    expect(config).toMatchObject({ consoleUrl: 'https://c.example', targets: [{ name: 'webhook', url: webhook.url, secret: SIGNING }] });
    expect(loadNotifyConfig({})).toEqual({ consoleUrl: null, allowInternal: [], targets: [], secrets: [] });
  });

  it.each([
    ['a secret that is not set', { targets: [{ ...webhook, secretFrom: 'NOT_SET' }] }, 'NOT_SET, which is not set'],
    ['a secret in the file', { targets: [{ ...webhook, secretFrom: SIGNING }] }, 'targets.0.secretFrom: is not the name of an environment variable'],
    ['no signing secret', { targets: [{ ...webhook, secretFrom: 'WEAK' }] }, 'WEAK is no signing secret'],
    ['two of one name', { targets: [webhook, webhook] }, 'named ops'],
    ['an unknown field', { targets: [{ ...webhook, secret: SIGNING }] }, 'Unrecognized key'],
    ['no address', { targets: [{ name: 'chat', channel: 'slack' }] }, 'chat has no usable address'],
    ['an address that is none', { targets: [{ ...webhook, url: 'file:///etc/passwd' }] }, 'targets.0.url'],
  ])('are refused with the place and the fix: %s', (_kind, file, message) => {
    expect(() => load(file, { ...secrets, WEAK: 'whsec_' })).toThrow(message);
    let said = '';
    try {
      load(file, { ...secrets, WEAK: 'whsec_' });
    } catch (error) {
      said = String(error);
    }
    expect(said).not.toContain(SIGNING);
  });

  it('are told of what concerns them: tenant, event, and approvals that they may decide', () => {
    const target = { channel: 'slack' as const, tenants: ['default'] };
    const route = createRouter([
      { ...target, name: 'all' },
      { ...target, name: 'everywhere', tenants: ['*'] },
      { ...target, name: 'finance', roles: ['finance', 'admin'] },
      { ...target, name: 'failures', events: ['task_failed'] },
    ]);
    const names = (event: 'approval_opened' | 'task_failed', tenant: string, roles: string[] | null) =>
      route({ event, tenant, payload: { approval: roles && { roles } } as never }).map(({ target: name }) => name);
    expect(names('approval_opened', 'default', ['approver'])).toEqual(['all', 'everywhere']);
    expect(names('approval_opened', 'default', ['finance'])).toEqual(['all', 'everywhere', 'finance']);
    expect(names('approval_opened', 'other', ['finance'])).toEqual(['everywhere']);
    expect(names('task_failed', 'default', null)).toEqual(['all', 'everywhere', 'finance', 'failures']);
  });
});

it('a circuit opens after failures in a row, lets one try after a while, waits longer each time, and closes at a success', () => {
  const circuit = createCircuit({ limit: 4, failures: 2, openMs: 100, maxOpenMs: 150 });
  circuit.failed(0);
  expect(circuit.room(0)).toEqual({ limit: 4, waitMs: 0 });
  circuit.failed(10);
  expect(circuit.room(50)).toEqual({ limit: 0, waitMs: 60 });
  expect(circuit.room(110)).toEqual({ limit: 1, waitMs: 0 });
  circuit.failed(110);
  expect(circuit.room(110)).toEqual({ limit: 0, waitMs: 150 });
  circuit.succeeded();
  expect(circuit.room(111)).toEqual({ limit: 4, waitMs: 0 });
});

it('Retry-After is seconds or a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(['120', 'Thu, 01 Jan 2026 00:01:00 GMT', 'Thu, 01 Jan 2015 00:01:00 GMT', 'soon', undefined].map((header) => retryAfterMs(header, now))).toEqual([
    120_000,
    60_000,
    0,
    null,
    null,
  ]);
});
