import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import type { Api } from '../environment.ts';
import { notFound } from '../http/problem.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Loopwright</title></head>
<body><h1>The console is not built</h1><p>Run <code>npx vite build --config src/console/vite.config.ts</code>, then load this page again. The API is there all the same: <a href="/docs">/docs</a>.</p></body></html>
`;

/** The console's pages: every path that is no file is its first page, for it routes by itself. @param folder where it was built; null: nowhere */
export function addConsole(api: Api, folder: string | null): void {
  api.get('*', async (context) => {
    const { path } = context.req;
    if (/^\/(v1|docs)(\/|$)/.test(path)) throw notFound(`path ${path}`);
    const file = folder === null ? null : await readInside(folder, path);
    if (file) {
      // the build names files under assets/ by their content
      const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
      return context.body(file.content, 200, { 'content-type': file.type, 'cache-control': cache });
    }
    // a task's id may hold dots: what is deeper is a page
    if (/^\/(assets\/.*|[^/]+\.\w+)$/.test(path)) throw notFound(`file ${path}`);
    const index = folder === null ? null : await readInside(folder, '/index.html');
    return context.body(index?.content ?? NOT_BUILT, index ? 200 : 503, { 'content-type': TYPES['.html']!, 'cache-control': 'no-store' });
  });
}

/** Null when there is no such file in the folder. */
async function readInside(folder: string, path: string): Promise<{ content: Uint8Array<ArrayBuffer>; type: string } | null> {
  const type = TYPES[extname(path)];
  const file = normalize(join(folder, decoded(path)));
  if (!type || !file.startsWith(folder + sep) || file.includes('\0')) return null;
  try {
    return { content: new Uint8Array(await readFile(file)), type };
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
