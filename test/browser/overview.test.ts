import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { overflow, seriousFindings } from './accessibility.ts';
import { GOOD_ANSWER, probe, probeScript } from './probe-agents.ts';
import { screenshot } from './screenshots.ts';
import { type ConsoleUnderTest, openConsole } from './support.ts';

let console: ConsoleUnderTest;
let olga: Page;

beforeAll(async () => {
  console = await openConsole({ agents: { probe }, scripts: { probe: probeScript }, stream: true });
  const started = await Promise.all(['one', 'two', 'three'].map((task) => console.loop.client.start('probe', { task }, { startedBy: 'alice' })));
  await Promise.all(started.map((task) => task.result()));
  const cancelled = await console.loop.client.start('probe', { task: 'write it' }, { startedBy: 'alice' });
  await cancelled.cancel({ reason: 'seen', by: 'olga' });
  olga = await console.as('olga', ['operator']);
});
afterAll(() => console?.stop());

const open = (page: Page, path: string): Promise<unknown> => page.goto(new URL(path, console.gateway.url).href);
const figure = (name: string) => olga.locator('.figure').filter({ has: olga.getByText(name, { exact: true }) });

describe('the overview', () => {
  test('says how tasks go, in figures, charts and tables', async () => {
    await open(olga, '/overview?days=1');
    await figure('Pass rate').getByText('75%').waitFor();
    expect(await figure('Ended').innerText()).toMatch(/4\s+.*Cancelled 1 · Passed 3/);
    expect(await figure('Human rate').innerText()).toMatch(/\d+%/);
    expect(await figure('Cost of models').innerText()).toMatch(/\$0\.\d+/);
    await olga.getByText('Numbers as a table').first().click();
    const rows = await olga.getByRole('region', { name: 'Tasks that ended' }).getByRole('row').allInnerTexts();
    expect(rows.some((row) => /3 tasks\s+1 task/.test(row))).toBe(true);
    const tools = olga.getByRole('region', { name: 'Slowest tools' });
    expect(await tools.innerText()).toMatch(/read_note\s+3\s+0/);
    await olga.getByText('scripted-writer').first().waitFor();
    // The charts are drawn: a canvas that was refused its style or its script would be blank.
    const painted = await olga
      .locator('.chart canvas')
      .first()
      .evaluate((canvas) => {
        const { width, height } = canvas as unknown as { width: number; height: number };
        const { data } = (canvas as unknown as { getContext: (kind: '2d') => { getImageData: (...place: number[]) => { data: Uint8ClampedArray } } })
          .getContext('2d')
          .getImageData(0, 0, width, height);
        return new Set(Array.from({ length: data.length / 4 }, (_, index) => data.slice(index * 4, index * 4 + 4).join())).size;
      });
    expect(painted).toBeGreaterThan(5);
    await screenshot(olga, 'overview', { fullPage: true, readme: 'console-overview' });
  });
});

describe('an agent', () => {
  test('is changed live: what is out of range is refused before it is sent, what is saved says by whom', async () => {
    await open(olga, '/agents');
    await olga.getByRole('link', { name: 'probe' }).click();
    const attempts = olga.getByLabel(/^Attempts/);
    await attempts.fill('0');
    await olga.getByText('This must be from 1 to 50.').waitFor();
    expect(await olga.getByRole('button', { name: /^Save/ }).isDisabled()).toBe(true);
    await attempts.fill('7');
    await olga.getByRole('button', { name: 'Save 1 change' }).click();
    await olga.getByText('1 setting saved.').waitFor();
    await olga.getByText(/Set by olga, .* GMT|Set by olga, .* UTC/).waitFor();
    expect(await console.loop.database.store.settings.current('probe')).toMatchObject([{ field: 'maxAttempts', value: 7, by: 'olga' }]);
    await olga.getByRole('tab', { name: 'Tools' }).click();
    await olga.getByText('write_note').first().waitFor();
    await olga.getByRole('tab', { name: 'Evaluators' }).click();
    await olga.getByText('says_good').waitFor();
    await olga.getByRole('tab', { name: 'Versions' }).click();
    await olga.getByText('Current').waitFor();
  });

  test('is only looked at by those who may not change it', async () => {
    const page = await console.as('rita', ['reviewer']);
    await open(page, '/agents/probe');
    expect(await page.getByLabel(/^Attempts/).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Save/ }).isVisible()).toBe(false);
    await page.context().close();
  });
});

describe('a conversation', () => {
  test('goes on over several tasks; a question is answered in its place', async () => {
    await open(olga, '/chat');
    await olga.getByRole('button', { name: 'New conversation' }).click();
    await olga.waitForURL(/\/chat\/[^/]+$/);
    const write = async (text: string): Promise<void> => {
      await olga.getByRole('textbox', { name: 'Message' }).fill(text);
      await olga.keyboard.press('Enter');
    };
    const answers = olga.getByRole('article', { name: 'Agent' });
    await write('tell me about spring');
    await answers.filter({ hasText: GOOD_ANSWER }).waitFor();
    await write('ask me about the other note');
    await answers.filter({ hasText: 'Which note do you mean?' }).waitFor();
    await screenshot(olga, 'chat-question');
    await olga.getByLabel('Your answer').fill('the second');
    await olga.getByRole('button', { name: 'Answer' }).click();
    await olga.getByRole('article', { name: 'You' }).filter({ hasText: 'the second' }).waitFor();
    await answers.filter({ hasText: GOOD_ANSWER }).nth(1).waitFor();
    expect(new Set(await answers.getByRole('link', { name: 'Open the task' }).evaluateAll((links) => links.map((link) => link.getAttribute('href')))).size).toBe(2);
    expect(await olga.getByText('Which note do you mean?').count()).toBe(1);
    await screenshot(olga, 'chat', { readme: 'console-chat' });
  });
});

test('overview, agents and chat have no serious fault of accessibility by day and night, and never scroll sideways on a narrow screen', async () => {
  const chat = new URL(olga.url()).pathname;
  const narrow = await console.as('nora', ['operator'], { viewport: { width: 390, height: 800 }, locale: 'zh-CN', colorScheme: 'dark' });
  for (const path of ['/overview', '/agents', ...['settings', 'tools', 'approvals'].map((tab) => `/agents/probe?tab=${tab}`), chat]) {
    await Promise.all([console.follow(olga, path), open(narrow, path)]);
    await Promise.all([olga, narrow].map((page) => page.locator('.figures, .agent-card, .agent-panel, .conversation').first().waitFor({ state: 'attached' })));
    expect(await seriousFindings(olga), path).toEqual([]);
    expect(await seriousFindings(narrow), `${path} dark`).toEqual([]);
    expect(await overflow(narrow), path).toBe(0);
    await screenshot(
      narrow,
      `${path
        .slice(1)
        .replace(/[/?=]+/g, '-')
        .replace(/-[0-9a-f-]{36}.*/, '-open')}-narrow-chinese-dark`,
      { fullPage: true },
    );
  }
  await narrow.context().close();
});

test('no page had a fault, and the content security policy refused nothing', () => {
  expect(console.complaints).toEqual([]);
});
