/** The files of a new agent. Their texts lie beside this file as `.txt`: they name things that are there only once the name is filled in. */
import { readdirSync, readFileSync } from 'node:fs';

/** Where the files go, from the repository's root, and what is in them. */
export interface AgentFiles {
  /** `src/agents/<name>` */
  folder: string;
  /** `test/integration/agents/<name>` */
  testFolder: string;
  /** Path from the root → text. */
  texts: Map<string, string>;
  registry: { imports: string[]; entry: string };
}

/** @param name kebab-case. @param date ISO date on which the agent's tool is released. */
export function agentFiles(name: string, date: string): AgentFiles {
  const camel = name.replace(/-([a-z0-9])/g, (_dash, letter: string) => letter.toUpperCase());
  const values: Record<string, string> = { name, camel, Pascal: camel.charAt(0).toUpperCase() + camel.slice(1), date };
  const fill = (text: string): string => text.replace(/\{\{(\w+)\}\}/g, (whole, key: string) => values[key] ?? whole);
  const folders = { folder: `src/agents/${name}`, testFolder: `test/integration/agents/${name}` };
  const texts = new Map([...filesOf('agent', folders.folder, fill), ...filesOf('test', folders.testFolder, fill)]);
  const key = name.includes('-') ? `'${name}'` : name;
  return {
    ...folders,
    texts,
    registry: {
      imports: [`import { ${camel}Agent } from './${name}/agent.ts';`, `import { ${camel}Script } from './${name}/scripted.ts';`],
      entry: `  ${key}: { agent: ${camel}Agent, script: ${camel}Script, cases: casesOf('${name}') },`,
    },
  };
}

function filesOf(part: 'agent' | 'test', target: string, fill: (text: string) => string): [string, string][] {
  const folder = new URL(`./${part}/`, import.meta.url);
  return readdirSync(folder)
    .toSorted()
    .map((file) => [`${target}/${file.replace(/\.txt$/, '')}`, fill(readFileSync(new URL(file, folder), 'utf8'))]);
}
