import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Api } from '../environment.ts';
import { notFound } from '../http/problem.ts';
import { openApiDocument } from '../open-api.ts';

const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const FILES: Record<string, string> = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' };

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Loopwright API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="api"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body>
</html>
`;
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null });\n`;

/** The API's description, and a page that shows it and tries it out, from files of our own. */
export function addDocumentRoutes(api: Api): void {
  let description: string | null = null;
  api.get('/openapi.json', (context) => {
    description ??= JSON.stringify(openApiDocument(api));
    return context.body(description, 200, { 'content-type': 'application/json' });
  });
  api.get('/docs', (context) => context.html(PAGE));
  api.get('/docs/start.js', (context) => context.body(START, 200, { 'content-type': 'text/javascript; charset=utf-8' }));
  api.get('/docs/:file', async (context) => {
    const file = context.req.param('file');
    const type = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
    if (!type) throw notFound(`file ${file}`);
    return context.body(await readFile(join(swagger, file)), 200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'public, max-age=86400' });
  });
}
