import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { anchors, documents, links, root } from './markdown.ts';

it('there are documents', () => {
  expect(documents).toEqual(
    expect.arrayContaining(['README.md', 'CHANGELOG.md', 'AGENTS.md', 'docs/architecture.md', 'docs/adding-an-agent.md', 'docs/operations.md', 'docs/data-model.md']),
  );
});

it.each(documents)('every relative link of %s leads somewhere', (document) => {
  const broken = links(document)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#', 2);
      const target = path === '' ? document : normalize(join(dirname(document), path));
      if (target.startsWith('..') || !existsSync(join(root, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchors(target).includes(anchor);
    });
  expect(broken).toEqual([]);
});
