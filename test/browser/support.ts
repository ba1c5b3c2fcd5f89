/** A console as people have it: a real loop, the gateway, and a browser. One of each for a test file. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { startLoop, type Loop, type LoopOptions } from '../support/loop.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { launchChromium } from './chromium.ts';

export interface ConsoleUnderTest {
  loop: Loop;
  gateway: TestGateway;
  browser: Browser;
  /** A page that nobody has signed in to. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Goes to a path as a link within the page does: nothing is loaded anew, and what is shown is of that path. */
  follow(page: Page, path: string): Promise<void>;
  /** A link that signs a person in, once. */
  signInLink(subject: string, roles: string[]): Promise<string>;
  /** A page of a browser of its own, signed in by a link. */
  as(subject: string, roles: string[], options?: BrowserContextOptions): Promise<Page>;
  /** What the browsers complained about: faults of the page, what its content security policy refused, requests to other places. */
  complaints: string[];
  stop(): Promise<void>;
}

const SIZE = { width: 1280, height: 900 };

export async function openConsole(options: LoopOptions): Promise<ConsoleUnderTest> {
  const [loop, browser] = await Promise.all([startLoop({ stream: true, ...options }), launchChromium()]);
  const gateway = await startTestGateway(loop);
  const complaints: string[] = [];
  const contexts: BrowserContext[] = [];
  const console: ConsoleUnderTest = {
    loop,
    gateway,
    browser,
    complaints,
    async open(path, contextOptions) {
      const context = await browser.newContext({ viewport: SIZE, locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce', ...contextOptions });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      page.on('pageerror', (error) => complaints.push(`${path}: ${error.stack ?? error.message}`));
      page.on('console', (message) => {
        // A refused request is told as an error too, and is what some tests are about.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) complaints.push(`${path}: ${message.text()}`);
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(gateway.url)) complaints.push(`${path}: asked another place for ${request.url()}`);
      });
      await page.goto(new URL(path, gateway.url).href);
      return page;
    },
    async follow(page, path) {
      // the second frame comes when what the first one asked for is drawn
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'));
        new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(null))))`);
    },
    async signInLink(subject, roles) {
      const { token } = await loop.database.store.signInLinks.create({ subject, tenant: 'default', roles }, { by: 'test', via: 'local' });
      return `/sign-in#${token}`;
    },
    async as(subject, roles, contextOptions) {
      const page = await console.open(await console.signInLink(subject, roles), contextOptions);
      await page.locator('nav').waitFor({ state: 'attached' });
      return page;
    },
    async stop() {
      await Promise.all(contexts.map((context) => context.close()));
      await Promise.all([browser.close(), gateway.close()]);
      await loop.stop();
    },
  };
  return console;
}
