/** Pictures of the console, for who looks at a run (LOOPWRIGHT_SCREENSHOTS), and the best of them for the README (LOOPWRIGHT_UPDATE_IMAGES); none otherwise. */
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const repository = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = join(repository, 'test-output/screenshots');
const images = join(repository, 'docs/images');

/** @param readme the picture's name in `docs/images`, where it goes when LOOPWRIGHT_UPDATE_IMAGES is set */
export async function screenshot(page: Page, name: string, { fullPage = false, readme }: { fullPage?: boolean; readme?: string } = {}): Promise<void> {
  const forReadme = Boolean(readme && process.env['LOOPWRIGHT_UPDATE_IMAGES']);
  if (!forReadme && !process.env['LOOPWRIGHT_SCREENSHOTS']) return;
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, fullPage, animations: 'disabled' });
  if (!forReadme) return;
  await mkdir(images, { recursive: true });
  await copyFile(path, join(images, `${readme}.png`));
}
