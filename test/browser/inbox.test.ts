import { sql } from 'kysely';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Approval } from '../../src/contracts/approval.ts';
import type { TaskHandle } from '../../src/client.ts';
import { until } from '../support/loop.ts';
import { overflow, seriousFindings } from './accessibility.ts';
import { commandsAgent, type Effect, inputOf, type Plan, planScript, refundsAgent } from './refunds.ts';
import { screenshot } from './screenshots.ts';
import { type ConsoleUnderTest, openConsole } from './support.ts';

const effects: Effect[] = [];
let console: ConsoleUnderTest;
/** Carol, who approves. */
let carol: Page;
/** Bob, who approves too, in the dark. */
let bob: Page;

beforeAll(async () => {
  console = await openConsole({ agents: { refunds: refundsAgent(effects), commands: commandsAgent(effects) }, scripts: { refunds: planScript, commands: planScript } });
  [carol, bob] = await Promise.all([console.as('carol', ['approver']), console.as('bob', ['approver'], { colorScheme: 'dark' })]);
});
afterAll(() => console?.stop());

/** Tasks of the test that runs. What it leaves waiting would be in the way of the next. */
const started: TaskHandle[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((task) => task.cancel({ reason: 'the test is over', by: 'alice' }).catch(() => {})));
});

const ran = (order: string): Effect['arguments'][] => effects.filter((effect) => effect.arguments['order'] === order).map((effect) => effect.arguments);
const refund = (order: string, more: object = {}): Plan => ({
  calls: [
    { tool: 'look_up_order', arguments: { order } },
    { tool: 'refund', arguments: { order, amount: 120.5, currency: 'CNY', ...more }, reason: `The carrier lost order ${order}, and the customer has waited for two weeks` },
  ],
});
const command = (text: string, more: object = {}): Plan => ({ calls: [{ tool: 'run_command', arguments: { command: text, ...more } }] });

/** Starts a task of alice's and waits until it waits for a person. */
async function start(plan: Plan, limits: object = {}): Promise<{ task: TaskHandle; approval: Approval }> {
  const agent = plan.calls?.[0]?.tool === 'run_command' ? 'commands' : 'refunds';
  const task = await console.loop.client.start(agent, inputOf(plan), { startedBy: 'alice', limits });
  started.push(task);
  const approval = await until('an approval that waits', async () => (await task.state()).approvals.find(({ status }) => status === 'pending'));
  return { task, approval };
}
const row = (page: Page, text: string): Locator => page.getByRole('listitem').filter({ hasText: text });
const card = (page: Page): Locator => page.getByRole('article');
const look = async (page: Page, text: string): Promise<Locator> => {
  await row(page, text).getByRole('link').click();
  await card(page)
    .getByRole('heading', { level: 2, name: new RegExp(text) })
    .waitFor();
  return card(page);
};
const reject = async (page: Page, text: string, reason: string): Promise<void> => {
  await (await look(page, text)).getByRole('button', { name: 'Reject' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await gone(page, text);
};
/** Closes the messages at the edge of the page. */
const closeMessages = async (page: Page): Promise<void> => {
  const close = page.locator('.toasts').getByRole('button');
  for (let left = await close.count(); left > 0; left--) await close.first().click();
};
const gone = (page: Page, text: string): Promise<void> => row(page, text).waitFor({ state: 'detached' });

describe('signing in', () => {
  test('a link signs in once, its token leaves the address, a session that ends and signing out lead back', async () => {
    const link = await console.signInLink('erin', ['approver']);
    const page = await console.open(link);
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/inbox');
    await page.getByText('Nothing waits for a person').waitFor();
    // Once more, by whoever is signed in already: nothing is lost.
    await page.goto(console.gateway.url + link);
    await page.getByText('Nothing waits for a person').waitFor();

    await page.context().clearCookies();
    await page.getByRole('tab', { name: 'Decided' }).click();
    await page.getByText('Your session has ended').waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await page.goto(console.gateway.url + (await console.signInLink('erin', ['approver'])));
    // Back where the session had ended.
    await page.getByRole('tab', { name: 'Decided', selected: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${console.gateway.url}/inbox`);
    await page.getByText('opened by a sign-in link that works once').waitFor();

    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(console.gateway.url + link);
    await page.getByText('This link does not work').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await screenshot(page, 'sign-in-used-link-dark');
    await page.context().close();
  });
});

describe('deciding', () => {
  test('what waits appears by itself, says exactly what would run, and runs when it is approved', async () => {
    const { task } = await start(refund('A001', { lines: [{ sku: 'B17', quantity: 2 }] }));
    const approval = await look(carol, 'A001');
    const text = (await approval.innerText()).replace(/\s+/g, ' ');
    expect(text).toContain('"amount": 120.5');
    expect(text).toContain('"quantity": 2');
    expect(text).toContain('The carrier lost order A001');
    const evidence = approval.getByRole('group').filter({ hasText: 'look_up_order' });
    await evidence.locator('summary').click();
    expect((await evidence.innerText()).replace(/\s+/g, ' ')).toContain('"status": "lost by the carrier"');
    expect(text).toContain('Confidence: 82%');
    expect(text).toContain('alice');
    expect(text).toMatch(/1[45] min (\d+ s )?left/);
    expect(await carol.getByRole('link', { name: /^Inbox/ }).innerText()).toMatch(/1/);
    expect(ran('A001')).toEqual([]);
    await approval.getByRole('button', { name: 'Approve' }).click();
    await carol.getByText(/^Approved: /).waitFor();
    await gone(carol, 'A001');
    expect(await task.result()).toMatchObject({ outcome: 'passed', askedPerson: true });
    expect(ran('A001')).toEqual([{ order: 'A001', amount: 120.5, currency: 'CNY', lines: [{ sku: 'B17', quantity: 2 }] }]);
  });

  test('a rejection needs a reason, which the agent is told', async () => {
    const { task } = await start(refund('A002'));
    const approval = await look(carol, 'A002');
    await approval.getByRole('button', { name: 'Reject' }).click();
    const dialog = carol.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('The parcel did arrive: see photo');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await gone(carol, 'A002');
    expect((await task.result()).text).toContain('The parcel did arrive: see photo');
    expect(ran('A002')).toEqual([]);
  });

  test('an edit is made in a form, its changes are shown, and what was edited runs', async () => {
    await closeMessages(carol);
    const { task } = await start(refund('A003', { note: 'all of it' }));
    await (await look(carol, 'A003')).getByRole('button', { name: 'Edit' }).click();
    const dialog = carol.getByRole('dialog');
    const see = dialog.getByRole('button', { name: 'See what changes' });
    expect(await see.isDisabled()).toBe(true);
    await dialog.getByLabel('amount').fill('60000');
    await dialog.getByText('At most 50000.').waitFor();
    expect(await see.isDisabled()).toBe(true);
    await dialog.getByLabel('amount').fill('60.25');
    await dialog.getByLabel('currency').selectOption('EUR');
    await dialog.getByRole('button', { name: 'Add lines' }).click();
    await dialog.getByRole('button', { name: 'Add lines' }).click();
    await dialog.getByLabel('sku').fill('C9');
    await dialog.getByLabel('quantity').fill('1');
    await see.click();
    const diff = await dialog.getByRole('region', { name: 'What changes' }).innerText();
    expect(diff).toMatch(/"amount": 120\.5/);
    expect(diff).toMatch(/"amount": 60\.25/);
    expect(diff).toMatch(/"sku": "C9"/);
    expect(diff).not.toMatch(/(Added|Removed):\s+"order"/);
    await screenshot(carol, 'inbox-edit-changes', { readme: 'console-edit' });
    await dialog.getByLabel('Reason').fill('half');
    await dialog.getByRole('button', { name: 'Approve the changed version' }).click();
    await gone(carol, 'A003');
    await task.result();
    expect(ran('A003')).toEqual([{ order: 'A003', amount: 60.25, currency: 'EUR', note: 'all of it', lines: [{ sku: 'C9', quantity: 1 }] }]);
  });

  test('HITL-12 a double click sends one decision', async () => {
    const { task } = await start(refund('A004'));
    const sent: string[] = [];
    carol.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await (await look(carol, 'A004')).getByRole('button', { name: 'Approve' }).dblclick();
    await gone(carol, 'A004');
    await task.result();
    expect(sent.filter((url) => url.includes('/v1/approvals/'))).toHaveLength(1);
    expect(ran('A004')).toHaveLength(1);
  });

  test('HITL-12 who is second is told who was first, and nothing changes', async () => {
    const { task, approval } = await start(refund('A005'));
    await look(bob, 'A005');
    // Bob's click is on its way when Carol's rejection arrives.
    let passOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      passOn = resolve;
    });
    const decisions = '**/v1/approvals/**';
    await bob.route(decisions, async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    await card(bob).getByRole('button', { name: 'Approve' }).click();
    await row(bob, 'A005').and(bob.locator('[data-sending=true]')).waitFor();
    await reject(carol, 'A005', 'no');
    passOn();
    await bob.getByText(/Your decision did not count: Somebody decided this before you.*Rejected by carol/).waitFor();
    await card(bob).getByText('by carol').waitFor();
    expect(await card(bob).getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await task.result();
    expect(ran('A005')).toEqual([]);
    expect((await task.state()).approvals.find(({ id }) => id === approval.id)?.decision?.by).toBe('carol');
    await bob.unroute(decisions);
  });

  test('a question is answered', async () => {
    const { task } = await start({ ask: 'Which order do you mean, A006 or A007?' });
    await (await look(carol, 'A006 or A007')).getByRole('button', { name: 'Answer' }).click();
    await carol.getByRole('dialog').getByLabel('Answer').fill('A007, the blue one');
    await carol.getByRole('dialog').getByRole('button', { name: 'Answer' }).click();
    await gone(carol, 'A006 or A007');
    expect((await task.result()).text).toContain('A007, the blue one');
  });

  test('calls of low risk are approved together', async () => {
    const tasks = await Promise.all(['ls -1', 'ls -2', 'ls -3'].map(async (text) => (await start(command(text))).task));
    await Promise.all(['ls -1', 'ls -2', 'ls -3'].map((text) => row(carol, text).waitFor()));
    await carol.getByLabel('Select all of low risk').check();
    await row(carol, 'ls -2').getByRole('checkbox').uncheck();
    await carol.getByRole('button', { name: 'Approve 2' }).click();
    await carol.getByText('2 approved').waitFor();
    await Promise.all([gone(carol, 'ls -1'), gone(carol, 'ls -3')]);
    expect(await row(carol, 'ls -2').count()).toBe(1);
    await Promise.all([tasks[0]!.result(), tasks[2]!.result()]);
    expect(
      effects
        .map((effect) => effect.arguments['command'])
        .filter(Boolean)
        .toSorted(),
    ).toEqual(['ls -1', 'ls -3']);
  });

  test('keys that follow at once are those of what has just opened', async () => {
    await start(refund('A009'));
    await row(carol, 'A009').waitFor();
    await carol.getByRole('link', { name: /^Inbox/ }).focus();
    // Faster than anything is painted: the second key opens the dialog, the third is typed into it.
    const typedInto = await carol.evaluate(`(async () => {
      for (const key of ['j', 'r', 'e']) {
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        for (let turn = 0; turn < 10; turn++) await null;
      }
      return [document.activeElement.tagName, document.querySelector('dialog[open] h2')?.textContent];
    })()`);
    expect(typedInto).toEqual(['TEXTAREA', 'Reject']);
    await carol.keyboard.press('Escape');
  });

  test('by keyboard alone', async () => {
    const { task } = await start(refund('A008'));
    await row(carol, 'A008').waitFor();
    await carol.getByRole('link', { name: /^Inbox/ }).focus();
    await carol.keyboard.press('j');
    await card(carol).getByRole('heading', { name: /A008/ }).waitFor();
    await carol.keyboard.press('r');
    await carol.keyboard.type('not this one');
    await carol.keyboard.press('Escape');
    await carol.keyboard.press('?');
    await carol.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next approval').waitFor();
    await carol.keyboard.press('Escape');
    await carol.keyboard.press('a');
    await gone(carol, 'A008');
    await task.result();
    expect(ran('A008')).toHaveLength(1);
  });
});

describe('four eyes', () => {
  test('two different people approve what is dangerous; whoever asked for it may not', async () => {
    const { task } = await start(refund('A010', { amount: 12_900, note: 'Two weeks late; the carrier has confirmed the loss', lines: [{ sku: 'B17', quantity: 2 }] }));
    // In company, as an inbox is.
    await Promise.all([
      start({ ask: 'Which of your two open orders do you mean, A020 or A021?' }),
      start(command('npm run report -- --week 48')),
      start(refund('A022', { amount: 86.4 })),
    ]);
    const alice = await console.as('alice', ['approver', 'submitter']);
    const own = await look(alice, 'A010');
    await own.getByRole('note').first().waitFor();
    expect(await own.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await alice.context().close();

    await (await look(bob, 'A010')).getByRole('button', { name: 'Approve' }).click();
    await bob.getByRole('dialog', { name: 'Approve a dangerous action' }).getByRole('button', { name: 'Approve' }).click();
    await bob.getByText('Another person must approve it too').waitFor();
    // The page has gone on to what bob can decide next.
    await card(bob).getByRole('heading', { level: 2 }).filter({ hasNotText: 'A010' }).waitFor();
    await look(bob, 'A010');
    await card(bob).getByText('One more approval is needed').waitFor();
    expect(await card(bob).getByRole('button', { name: 'Approve' }).count()).toBe(0);
    expect(ran('A010')).toEqual([]);
    await closeMessages(bob);
    await screenshot(bob, 'inbox-four-eyes-dark', { readme: 'console-inbox-dark' });

    const approval = await look(carol, 'A010');
    await approval.getByText('by bob').waitFor();
    await closeMessages(carol);
    await screenshot(carol, 'inbox-light', { readme: 'console-inbox' });
    await approval.getByRole('button', { name: 'Approve' }).click();
    await carol.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await gone(carol, 'A010');
    await task.result();
    expect(ran('A010')).toEqual([expect.objectContaining({ order: 'A010', amount: 12_900 })]);
  });
});

describe('time', () => {
  test('what nobody decides in time expires with its default, seen as it happens', async () => {
    const { task } = await start(refund('A011'), { approvalTimeoutMs: 2_500 });
    const approval = await look(carol, 'A011');
    await approval.getByText('It is rejected').waitFor();
    await approval.getByText('Expired', { exact: true }).waitFor();
    await approval.getByText('Nobody decided in time').waitFor();
    expect(await approval.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await gone(carol, 'A011');
    expect((await task.result()).text).toContain('expired');
    expect(ran('A011')).toEqual([]);
  });

  test('UI-03 times are local and say their zone, over a change of clocks too; list and countdown agree to the second', async () => {
    const { approval } = await start(refund('A012'));
    // One that was asked in the last hour of summer time and expired in the first of winter time, both at 01:30 of a clock in New York.
    const { task: old, approval: expired } = await start(refund('A013'));
    await reject(carol, 'A013', 'no');
    await old.result();
    await sql`update approval set created_at = '2026-11-01T05:30:00Z', expires_at = '2026-11-01T06:30:00Z' where task_id = ${old.taskId}`.execute(
      console.loop.database.store.database,
    );
    const zones = [
      { timezoneId: 'America/New_York', locale: 'en-US', language: 'English', asked: '1 Nov 2026, 01:30:00 GMT-4', limit: '1 Nov 2026, 01:30:00 GMT-5' },
      { timezoneId: 'Asia/Shanghai', locale: 'zh-CN', language: '中文', asked: '2026年11月1日 GMT+8 13:30:00', limit: '2026年11月1日 GMT+8 14:30:00' },
    ];
    for (const { timezoneId, locale, asked, limit } of zones) {
      const page = await console.as(`grace-${timezoneId}`, ['approver'], { timezoneId, locale });
      const shown = await look(page, 'A012');
      // Both read at one moment.
      const limitTime = new Date(approval.expiresAt).toISOString();
      const clocks = (await page.evaluate(`[...document.querySelectorAll('[role=timer][datetime="${limitTime}"]')].map((clock) => clock.textContent)`)) as string[];
      expect(clocks).toHaveLength(2);
      expect(new Set(clocks).size).toBe(1);
      expect(await shown.innerText()).toMatch(/GMT[+-]\d/);
      expect(await page.locator('.zone').innerText()).toMatch(new RegExp(`${timezoneId}.*GMT[+-]\\d`));
      await page.goto(`${console.gateway.url}/inbox/${old.taskId}/${expired.id}?tab=decided`);
      await card(page).getByText('A013').first().waitFor();
      const text = (await card(page).innerText()).replace(/\s+/g, ' ');
      expect(text).toContain(asked);
      expect(text).toContain(limit);
      if (locale === 'zh-CN') await screenshot(page, 'inbox-decided-chinese', { fullPage: true });
      await page.context().close();
    }
  });
});

describe('what is shown', () => {
  test('UI-06 hidden and turning characters are named, right-to-left text stays readable', async () => {
    await start(command('rm -rf ./\u202Egnp.elif_ngineb', { site: 'pay\u200Bpal.com', comment: 'שלום עולם \u001b[2K\rsafe' }));
    const approval = await look(carol, 'rm -rf');
    await approval.getByText('characters that would not be seen').waitFor();
    const code = approval.getByRole('region', { name: /Exactly what run_command/ });
    expect(await code.innerText()).toContain('"rm -rf ./U+202Egnp.elif_ngineb"');
    expect(await code.innerText()).toContain('"payU+200Bpal.com"');
    expect(await code.innerText()).toContain('שלום עולם U+001B[2KU+000Dsafe');
    // Nothing that turns text, or can't be seen, is on the page: not in the list, nor in a title or label.
    expect(await carol.content()).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B]/);
    expect(
      await code
        .locator('bdi')
        .filter({ hasText: /^שלום עולם$/ })
        .count(),
    ).toBe(1);
    await screenshot(carol, 'inbox-hidden-characters');
  });

  test('the inbox has no serious fault of accessibility, by day and by night, with a dialog open too', async () => {
    await start(refund('A014', { lines: [{ sku: 'B17', quantity: 2 }] }));
    await look(carol, 'A014');
    for (const theme of ['Dark', 'Light']) {
      await carol.getByRole('button', { name: theme }).click();
      await card(carol).getByRole('button', { name: 'Edit' }).click();
      await carol.getByRole('dialog').getByLabel('amount').waitFor();
      // Of the whole page: what is behind the dialog too.
      expect(await seriousFindings(carol)).toEqual([]);
      await screenshot(carol, `inbox-edit-${theme.toLowerCase()}`);
      await carol.keyboard.press('Escape');
    }
  });

  test('a narrow screen has one column and never scrolls sideways', async () => {
    await start(refund('A015', { note: 'x'.repeat(300) }));
    const page = await console.as('heidi', ['approver'], { viewport: { width: 360, height: 780 }, locale: 'zh-CN', hasTouch: true });
    await row(page, 'A015').waitFor();
    expect(await overflow(page)).toBe(0);
    await screenshot(page, 'inbox-narrow-chinese');
    await look(page, 'A015');
    expect(await overflow(page)).toBe(0);
    expect(await row(page, 'A015').isVisible()).toBe(false);
    await screenshot(page, 'inbox-narrow-detail', { fullPage: true });
    await page.getByRole('button', { name: '返回列表' }).click();
    await page.getByRole('button', { name: '菜单' }).click();
    await page.getByRole('link', { name: '任务', exact: true }).waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    await page.context().close();
  });

  test('filters are in the address, and say what they hide', async () => {
    await start(refund('A016'));
    await carol.goto(`${console.gateway.url}/inbox?risk=read`);
    await carol.getByText('Nothing fits these filters').waitFor();
    await carol.getByRole('button', { name: 'Show all' }).click();
    await row(carol, 'A016').waitFor();
  });
});

describe('UI-01 a gateway that goes away', () => {
  test('is said to be away, and what happened meanwhile is there when it is back', async () => {
    await carol.goto(`${console.gateway.url}/inbox`);
    await carol.getByText('Live', { exact: true }).waitFor();
    await console.gateway.stop();
    await carol.getByText('Reconnecting').waitFor();
    await start(refund('A017'));
    await console.gateway.restart();
    await row(carol, 'A017').waitFor();
    await carol.getByText('Live', { exact: true }).waitFor();
    expect(await row(carol, 'A017').count()).toBe(1);
  });
});

test('a page that nobody sees for long gives its connection back, and is up to date when it is seen again', async () => {
  const hide = (hidden: boolean): Promise<unknown> =>
    bob.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} }); document.dispatchEvent(new Event('visibilitychange'))`);
  const isFeed = (request: { url(): string }): boolean => request.url().endsWith('/v1/events');
  await bob.clock.install();
  await bob.goto(`${console.gateway.url}/inbox`);
  await bob.getByText('Live', { exact: true }).waitFor();
  const [broken] = await Promise.all([bob.waitForEvent('requestfailed', isFeed), hide(true).then(() => bob.clock.fastForward(31_000))]);
  expect(broken.failure()?.errorText).toContain('ABORTED');
  await start(refund('A018'));
  expect(await row(bob, 'A018').count()).toBe(0);
  await hide(false);
  await row(bob, 'A018').waitFor();
  await bob.getByText('Live', { exact: true }).waitFor();
});

test('no page had a fault, and the content security policy refused nothing', () => {
  expect(console.complaints).toEqual([]);
});
