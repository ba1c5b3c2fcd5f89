/** The pages of learning: report, rules, reviews. What they show is written through the store: no task runs. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { learning } from '../../src/console/i18n/en/learning.ts';
import { report } from '../../src/console/i18n/en/report.ts';
import { overflow, seriousFindings } from './accessibility.ts';
import { type LearnedRules, writeReviews, writeRules, writeWork } from './learned.ts';
import { probe, probeScript } from './probe-agents.ts';
import { screenshot } from './screenshots.ts';
import { type ConsoleUnderTest, openConsole } from './support.ts';

let console: ConsoleUnderTest;
let rita: Page;
let rules: LearnedRules;

beforeAll(async () => {
  console = await openConsole({ agents: { probe }, scripts: { probe: probeScript } });
  const { store } = console.loop.database;
  rules = await writeRules(store, await writeWork(store));
  await writeReviews(store);
  rita = await console.as('rita', ['reviewer']);
});
afterAll(() => console?.stop());

/** Sentences and names of several words, which no data holds. */
const english = [...Object.values(report), ...Object.values(learning)].filter((text) => typeof text === 'string' && text.includes(' ')) as string[];

const open = (page: Page, path: string): Promise<unknown> => page.goto(new URL(path, console.gateway.url).href);
const figure = (name: string) => rita.locator('.figure').filter({ has: rita.getByText(name, { exact: true }) });
const region = (name: string) => rita.getByRole('region', { name, exact: true });
const card = (text: string) => rita.locator('.rule-cards > li').filter({ hasText: text });

test('the report: each rate with what it is made of, charts with their numbers, how scenarios fail', async () => {
  await open(rita, '/report');
  await figure('Completed without a person').getByText('83.3%').waitFor();
  expect(await figure('Completed without a person').innerText()).toContain('10 / 12');
  expect(await figure('Retry success').innerText()).toMatch(/50%\s+2 \/ 4/);
  expect(await figure('First attempt failed').innerText()).toMatch(/33.3%\s+4 \/ 12/);
  expect(await figure('Rounds to converge').innerText()).toMatch(/1.2\s+12 \/ 10/);
  expect(await region('Failing scenarios').innerText()).toMatch(/refund\s+probe\s+40% 2 \/ 5\s+20% 1 \/ 5/);
  expect(await region('How they fail').innerText()).toMatch(/refund\s+probe\s+grounding\s+ungrounded\s+submit_refund\s+invalid_arguments\s+2\s+Open a task/);
  await rita.getByText('Numbers as a table').first().click();
  const days = await region('Tasks that ended').getByRole('row').allInnerTexts();
  expect(days).toHaveLength(8);
  expect(days.some((row) => /2 tasks\s+0 tasks\s+0 tasks$/.test(row))).toBe(true);
  await screenshot(rita, 'report', { fullPage: true });
  await rita.getByLabel('Agent', { exact: true }).selectOption('probe');
  await rita.waitForURL(/agent=probe/);
});

describe('rules', () => {
  test('what waits for a reviewer comes first, then what live traffic says', async () => {
    await open(rita, '/rules');
    await card('Name the order in every reply.').getByText('+80 points').waitFor();
    const queue = await rita.locator('.rule-cards').first().locator('li').allInnerTexts();
    expect(queue.map((text) => /To review|Passed its experiment|Approved/.exec(text)?.[0])).toEqual(['To review', 'Passed its experiment', 'Approved']);
    expect(await card('Name the order in every reply.').innerText()).toMatch(/With it\s+100% 5 \/ 5\s+Without it\s+20% 1 \/ 5/);
    expect(await region('Retired and rejected').innerText()).toContain('Always say yes.');
    await screenshot(rita, 'rules', { fullPage: true, readme: 'console-rules' });
  });

  test('one is approved with a reason, and by its author never', async () => {
    await card('Promise a refund').getByRole('button', { name: 'Approve' }).click();
    const approve = rita.getByRole('dialog').getByRole('button', { name: 'Approve' });
    expect(await approve.isDisabled()).toBe(true);
    await rita.getByLabel('Why').fill('Seen in eight tasks.');
    await screenshot(rita, 'rule-approve');
    await approve.click();
    await card('Promise a refund').getByText('Approved: needs an experiment').waitFor();
    const { store } = console.loop.database;
    expect(await store.rules.get(rules.waiting)).toMatchObject({ status: 'preview', reviewedBy: 'rita' });
    expect((await store.rules.transitions(rules.waiting)).at(-1)).toMatchObject({ actor: 'rita', reason: 'Seen in eight tasks.' });
    await card('Promise a refund').getByRole('button', { name: 'Edit' }).click();
    await rita.getByLabel('What it says').fill('Promise a refund only with the number that submit_refund returned.');
    await rita.getByLabel('Why').fill('Shorter.');
    await rita.getByRole('dialog').getByRole('button', { name: 'Edit' }).click();
    await card('with the number that').getByText('You wrote this version').waitFor();
    expect(await card('with the number that').getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
  });

  test('one that passed its experiment is looked at, and accepted for a canary', async () => {
    await card('late parcel').getByRole('link').click();
    await rita.getByText('It won 9 cases and lost 1; p = 0.0107 is at most α = 0.05.').waitFor();
    expect(await region('Both arms').innerText()).toMatch(/First attempt passed\s+30%\s+70%\s+Passed in the end\s+70%\s+90%/);
    await rita.getByText('Case by case').first().click();
    expect(await region('Case by case').getByRole('row').nth(1).innerText()).toMatch(/case-01\s+won\s+0\s+1\s+\+1/);
    expect(await rita.getByRole('listitem').filter({ hasText: 'Worth a test.' }).innerText()).toMatch(/In review\s*→\s*Preview[\s\S]+by rupert · \d+/);
    await screenshot(rita, 'rule', { fullPage: true });
    await rita.getByRole('button', { name: 'Accept for a canary' }).click();
    await rita.getByLabel('Why').fill('It helps.');
    await rita.getByLabel(/^Share of the tasks/).fill('0.3');
    await rita.getByRole('dialog').getByRole('button', { name: 'Accept for a canary' }).click();
    await rita.getByRole('button', { name: 'Roll back' }).waitFor();
    expect(await console.loop.database.store.rules.get(rules.promoted)).toMatchObject({ status: 'canary', trafficShare: 0.3, experimentId: 'experiment-late-parcel' });
  });

  test('are only read by those who may not review', async () => {
    const olga = await console.as('olga', ['operator']);
    await open(olga, '/rules');
    await olga.getByText('Name the order in every reply.').waitFor();
    expect(await olga.getByRole('button', { name: /Approve|Reject|Roll back|Learn/ }).count()).toBe(0);
    await olga.context().close();
  });
});

test('reviews: one output after the other, without what the evaluators said, by the keyboard', async () => {
  await open(rita, '/reviews');
  await rita.getByText('Order A007 left the warehouse on Monday.').waitFor();
  expect(await rita.locator('.review').innerText()).not.toMatch(/92|judge|grounding/);
  await screenshot(rita, 'reviews', { fullPage: true });
  await rita.getByLabel('Yes').focus();
  await rita.keyboard.press('Space');
  await rita.keyboard.press('Tab');
  await rita.keyboard.type('85');
  await rita.keyboard.press('Enter');
  await rita.getByText('Yes, within 30 days, as long as they are unworn.').waitFor();
  // and the keyboard goes on with the next one
  await rita.locator('input:focus').waitFor();
  const reviewed = console.loop.database.store.database.selectFrom('review_sample').selectAll().where('sample_id', '=', 'sample-0');
  expect(await reviewed.executeTakeFirst()).toMatchObject({ passed: true, score: 85, reviewed_by: 'rita' });
  const judge = region('Standing of the evaluators').getByRole('row').filter({ hasText: 'judge' });
  expect(await judge.innerText()).toMatch(/below 0.4[\s\S]+No vote[\s\S]+0.21\s+24 rated\s+18.4\s+160/);
  await judge.getByRole('button', { name: 'Give the vote back' }).click();
  await rita.getByLabel('Why').fill('Its prompt was mended.');
  await rita.getByRole('dialog').getByRole('button', { name: 'Give the vote back' }).click();
  await judge.getByText('Has a vote').waitFor();
});

test('in Chinese, by night and on a narrow screen: readable, no word left in English, nothing wider than the screen', async () => {
  const narrow = await console.as('nora', ['reviewer'], { viewport: { width: 390, height: 800 }, locale: 'zh-CN', colorScheme: 'dark' });
  for (const [path, shown, texts] of [
    ['/report', '.figures', '无需人工完成'],
    ['/rules', '.rule-cards li', '等待评审'],
    [`/rules/${rules.promoted}`, '.experiment .arms', '胜 9 例，负 1 例'],
    ['/reviews', '.review', '你会让它通过吗？'],
  ] as const) {
    await open(narrow, path);
    await narrow.locator(shown).first().waitFor();
    await narrow.getByText(texts).first().waitFor();
    expect(await seriousFindings(narrow), path).toEqual([]);
    expect(await overflow(narrow), path).toBe(0);
    const said = await narrow.locator('#content').innerText();
    expect(
      english.filter((text) => said.includes(text)),
      path,
    ).toEqual([]);
    await screenshot(narrow, `${path.split('/')[1]}${path.split('/')[2] ? '-one' : ''}-narrow-chinese-dark`, { fullPage: true });
  }
  await narrow.context().close();
});

test('no page had a fault, and the content security policy refused nothing', () => {
  expect(console.complaints).toEqual([]);
});
