import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../support/loop.ts';
import { overflow, seriousFindings } from './accessibility.ts';
import { seedLongTask } from './long-task.ts';
import { FIRST_DRAFT, GOOD_ANSWER, probe, probeScript } from './probe-agents.ts';
import { screenshot } from './screenshots.ts';
import { type ConsoleUnderTest, openConsole } from './support.ts';

let console: ConsoleUnderTest;
/** Olga, who operates the installation. */
let olga: Page;

beforeAll(async () => {
  console = await openConsole({ agents: { probe }, scripts: { probe: probeScript }, stream: true });
  olga = await console.as('olga', ['operator']);
});
afterAll(() => console?.stop());

const open = (page: Page, path: string): Promise<unknown> => page.goto(new URL(path, console.gateway.url).href);
const start = (task: string, limits: object = {}) => console.loop.client.start('probe', { task }, { startedBy: 'alice', limits });
const steps = (page: Page): Locator => page.getByRole('region', { name: 'Steps' });
/** The next answer that a model writes comes slowly, piece by piece. */
const slowAnswer = (chunkDelayMs: number): void =>
  console.loop.model.faults.push({ when: (request) => request.stage === 'decide' && request.toolResults('read_note').length > 0, chunkDelayMs });

/** Numbers of the events that the page has got, as its log shows them. */
async function eventNumbers(page: Page): Promise<number[]> {
  await page.getByRole('tab', { name: 'Events' }).click();
  await page.locator('.event-row').filter({ hasText: 'task_closed' }).waitFor();
  return page.locator('.event-row').evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-number'))));
}
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const elements = (page: Page): Promise<number> => page.evaluate('document.querySelectorAll("*").length') as Promise<number>;

describe('a task that is started in the page', () => {
  test('the empty list says how to begin, and the form is made from the schema', async () => {
    await open(olga, '/tasks');
    await olga.getByText('No tasks yet').waitFor();
    await olga.getByRole('button', { name: 'Start a task' }).first().click();
    const dialog = olga.getByRole('dialog', { name: 'Start a task' });
    const action = dialog.getByRole('button', { name: 'Start', exact: true });
    await dialog.getByLabel('task').first().waitFor();
    expect(await action.isDisabled()).toBe(true);
    await dialog.getByLabel('task').first().fill('Say something good about spring');
    expect(await seriousFindings(olga)).toEqual([]);
    slowAnswer(60);
    await action.click();
    await olga.waitForURL(/\/tasks\/[^/]+$/);
    await olga.getByRole('heading', { level: 1, name: 'Say something good about spring' }).waitFor();
  });

  test('is watched to its end: what the model writes is a draft until it has become a fact', async () => {
    const draft = olga.locator('.draft');
    await draft.getByText('Draft, not judged yet').waitFor();
    await until('some of the draft', async () =>
      FIRST_DRAFT.startsWith(
        (
          await draft
            .locator('bdi')
            .innerText()
            .catch(() => 'nothing')
        ).trim() || 'nothing',
      ),
    );
    await olga.getByText('The quality was reached.').waitFor();
    await olga.getByText(GOOD_ANSWER).first().waitFor();
    expect(await draft.count()).toBe(0);
    await steps(olga).getByRole('button', { name: 'Attempt 1' }).click();
    for (const text of ['the text does not say good', '1 thing to change']) await steps(olga).getByText(text).first().waitFor();
    await steps(olga)
      .getByRole('button', { name: /^read_note/ })
      .click();
    await steps(olga).getByText('note spring').waitFor();
    expect(
      await steps(olga)
        .getByRole('button', { name: /^Attempt \d/ })
        .count(),
    ).toBe(2);
    await screenshot(olga, 'task-steps', { fullPage: true, readme: 'console-task' });
  });

  test('every event came once, and the other views show the same facts', async () => {
    const taskId = decodeURIComponent(new URL(olga.url()).pathname.split('/').at(-1)!);
    await olga.setViewportSize({ width: 1280, height: 1800 });
    const last = (await console.loop.database.store.taskEvents.last(taskId))!;
    expect(await eventNumbers(olga)).toEqual(upTo(last));
    await olga.setViewportSize({ width: 1280, height: 900 });
    await olga.getByRole('tab', { name: 'Corrections' }).click();
    const diff = olga.getByRole('region', { name: 'From attempt 1 to attempt 2' }).first();
    await diff.getByText('trains that run late').waitFor();
    await diff.getByText('This is a good answer').waitFor();
    await olga.getByRole('tab', { name: 'Timings' }).click();
    expect(await olga.locator('.bar-row').count()).toBe(4);
    await olga.getByRole('tab', { name: 'Scores and cost' }).click();
    await olga.getByText('Numbers as a table').first().click();
    expect(await olga.getByRole('region', { name: 'Score by attempt' }).getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/Attempt\s+Score\s+Score to pass/),
      expect.stringMatching(/1\s+20 points\s+80 points/),
      expect.stringMatching(/2\s+100 points\s+80 points/),
    ]);
    await screenshot(olga, 'task-costs', { fullPage: true });
  });

  test('takes feedback, once', async () => {
    await olga.getByRole('button', { name: 'Solved', exact: true }).click();
    await olga.getByText('Thank you, it is recorded.').waitFor();
    await olga.getByLabel('What would have been right').fill('Say which spring.');
    await olga.getByRole('button', { name: 'Send as correction' }).click();
    await olga.getByText('Say which spring.').waitFor();
  });

  test('is in the list, which finds it, filters it, and follows what happens', async () => {
    await olga.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tasks' }).click();
    await olga.getByRole('link', { name: 'Say something good about spring' }).waitFor();
    const task = await start('please write it down');
    const row = olga.getByRole('article').filter({ hasText: 'please write it down' });
    await row.getByText('Waits for a person').waitFor();
    await task.cancel({ reason: 'seen', by: 'olga' });
    await row.getByText('Cancelled').waitFor();
    await olga.getByLabel('Outcome').selectOption('cancelled');
    await olga.getByRole('link', { name: 'Say something good about spring' }).waitFor({ state: 'detached' });
    await olga.getByRole('searchbox').fill('nothing like it');
    await olga.getByText('No task fits these filters').waitFor();
    await olga.getByRole('button', { name: 'Clear the filters' }).click();
    await olga.getByRole('link', { name: 'Say something good about spring' }).waitFor();
    await screenshot(olga, 'tasks', { readme: 'console-tasks' });
  });
});

describe('a stream that breaks', () => {
  test('UI-01 API-11 shows its draft as interrupted; afterwards no event is lost or doubled', async () => {
    slowAnswer(110);
    const task = await start('break off');
    await olga.setViewportSize({ width: 1280, height: 1800 });
    await open(olga, `/tasks/${task.taskId}`);
    const draft = olga.locator('.draft');
    await draft.getByText('Draft, not judged yet').waitFor();
    await console.gateway.stop();
    await draft.getByText('Interrupted draft').waitFor();
    await olga.getByText('Reconnecting').waitFor();
    expect(await draft.getByText('This text is not complete').isVisible()).toBe(true);
    expect(await olga.getByText('The quality was reached').count()).toBe(0);
    await screenshot(olga, 'task-interrupted');
    await console.gateway.restart();
    await olga.getByText('The quality was reached.').waitFor();
    expect(await draft.count()).toBe(0);
    expect(await eventNumbers(olga)).toEqual(upTo((await console.loop.database.store.taskEvents.last(task.taskId))!));
    await olga.setViewportSize({ width: 1280, height: 900 });
  });
});

describe('a running task', () => {
  test('says what it waits for, is tuned within its ranges, told something, and cancelled with a reason', async () => {
    const task = await start('write the plan');
    await open(olga, `/tasks/${task.taskId}`);
    const wait = olga.getByRole('article').filter({ hasText: 'Waits for an approval' });
    await wait.getByText('For: approver').waitFor();
    expect(await wait.innerText()).toMatch(/\d+ (min|s).* left/);
    expect(await wait.getByRole('link', { name: 'Open in the inbox' }).getAttribute('href')).toBe(`/inbox/${task.taskId}/a1.t1.c1`);

    await olga.getByRole('button', { name: 'Tune' }).click();
    const dialog = olga.getByRole('dialog');
    await dialog.getByLabel(/^Attempts/).fill('500');
    await dialog.getByText('This must be from 1 to 50.').waitFor();
    await dialog.getByLabel(/^Attempts/).fill('5');
    expect(await seriousFindings(olga)).toEqual([]);
    await dialog.getByRole('button', { name: 'Tune' }).click();
    await olga.getByText('1 setting changed.').waitFor();
    await steps(olga).getByText('3 → 5 by olga').waitFor();

    await olga.getByRole('button', { name: 'Message' }).click();
    await dialog.getByLabel('Message').fill('mind the gap');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await olga.getByText('The task has the message.').waitFor();

    await olga.getByRole('button', { name: 'Cancel the task' }).click();
    const confirm = dialog.getByRole('button', { name: 'Cancel the task' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('not needed any more');
    await confirm.click();
    await olga.getByText('It was cancelled').waitFor();
    expect(await task.result()).toMatchObject({ outcome: 'cancelled' });
    expect(await olga.getByRole('button', { name: 'Tune' }).count()).toBe(0);
  });

  test('goes back to an earlier attempt when a person says so', async () => {
    const task = await start('never good', { maxAttempts: 1, handoffWaitMs: 600_000 });
    await open(olga, `/tasks/${task.taskId}`);
    await olga.getByText('Waits for somebody to take over').waitFor();
    await olga.getByRole('button', { name: 'Restore' }).click();
    const dialog = olga.getByRole('dialog');
    await dialog.getByText(FIRST_DRAFT).waitFor();
    await dialog.getByLabel('Reason').fill('good enough');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await olga.getByText('Attempt 1 is current again.').waitFor();
    await task.cancel({ reason: 'seen', by: 'olga' });
  });
});

describe('a task of 2,000 turns', () => {
  let result: string;
  beforeAll(async () => {
    result = await seedLongTask(console.loop.database.store, { taskId: 'long', turns: 2_000, resultChars: 1_000_000 });
  });

  test('opens in 2 s, holds only what is seen, and loads more as one scrolls', async () => {
    const before = performance.now();
    await open(olga, '/tasks/long');
    await steps(olga).getByText('note 1 is needed', { exact: true }).waitFor();
    await steps(olga).getByText('2,000 turns').waitFor();
    const took = performance.now() - before;
    globalThis.console.log(`a task of 2,000 turns opened in ${Math.round(took)} ms`);
    expect(took).toBeLessThan(2_000);
    expect(await elements(olga)).toBeLessThan(1_500);
    for (let round = 0; round < 4; round += 1) {
      await steps(olga).evaluate((list) => ((list as unknown as { scrollTop: number; scrollHeight: number }).scrollTop = 1e9));
      await olga.waitForTimeout(150);
    }
    await until('turns of later pages', async () => /note (1[5-9]\d|[2-9]\d\d|\d{4}) is needed/.test(await steps(olga).innerText()));
    expect(await elements(olga)).toBeLessThan(1_500);
  });

  test('shows of a result of 1 MB the beginning, and the whole in pieces when asked', async () => {
    await open(olga, '/tasks/long');
    await steps(olga)
      .getByRole('button', { name: /^read_note/ })
      .first()
      .click();
    const shown = steps(olga).getByRole('region', { name: 'Result' }).first();
    await shown.getByText('The quick brown fox').first().waitFor();
    expect((await shown.innerText()).length).toBeLessThan(6_000);
    const before = performance.now();
    await shown.getByRole('button', { name: /whole|all/i }).click();
    await shown.getByRole('button', { name: 'Save as a file' }).waitFor();
    expect(performance.now() - before).toBeLessThan(2_000);
    expect(await elements(olga)).toBeLessThan(2_000);
    const pieces = shown.locator('.long-text-lines');
    await pieces.evaluate((list) => ((list as unknown as { scrollTop: number }).scrollTop = 1e9));
    await pieces.getByText('the very end').waitFor();
    expect(result.length).toBeGreaterThan(990_000);
    await screenshot(olga, 'task-long-result');
  });
});

describe('the pages of tasks', () => {
  test('have no serious fault of accessibility by day and night, and never scroll sideways on a narrow screen', async () => {
    const narrow = await console.as('nora', ['operator'], { viewport: { width: 390, height: 800 }, locale: 'zh-CN', colorScheme: 'dark' });
    const { items } = { items: await console.loop.database.store.listTasks({ outcome: 'passed' }) };
    const taskId = items.find((task) => task.taskId !== 'long')!.taskId;
    for (const path of ['/tasks', ...['steps', 'timings', 'costs', 'corrections', 'details'].map((tab) => `/tasks/${taskId}?tab=${tab}`)]) {
      await Promise.all([console.follow(olga, path), open(narrow, path)]);
      await Promise.all([olga, narrow].map((page) => page.locator('.task-list, .task-panel > :not(.skeleton)').first().waitFor()));
      expect(await seriousFindings(olga), path).toEqual([]);
      expect(await seriousFindings(narrow), `${path} dark`).toEqual([]);
      expect(await overflow(narrow), path).toBe(0);
      const name = path.replace(/^\/tasks(\/[^?]+\?tab=)?/, 'task-');
      await screenshot(narrow, `${name}-narrow-chinese-dark`);
      await screenshot(olga, `${name}-light`);
    }
    await narrow.context().close();
  });
});

test('no page had a fault, and the content security policy refused nothing', () => {
  expect(console.complaints).toEqual([]);
});
