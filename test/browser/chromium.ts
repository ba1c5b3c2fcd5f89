/** The browser that the console's tests drive. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const KNOWN = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** @throws when there is none: a console that no browser has shown is not tested */
export async function launchChromium(): Promise<Browser> {
  const given = process.env['CHROMIUM'];
  const executablePath = given ?? KNOWN.find((path) => existsSync(path));
  if (!executablePath) throw new Error(`No Chromium found. Install it (\`apt-get install chromium\`), or name it by CHROMIUM. Looked for: ${KNOWN.join(', ')}`);
  // Root in a container has no user namespaces for the sandbox; the pages are our own.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
