/** Documents that agents are shown the fitting parts of. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Option, type Command } from 'commander';
import { DOCUMENT_FORMATS, type DocumentChange, type DocumentFormat } from '../../contracts/knowledge.ts';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { citationOf } from '../../memory/knowledge.ts';
import { addDocument, embedChunks, retrieveKnowledge } from '../../retrieval/knowledge.ts';
import { getDocument, listDocuments } from '../../store/documents.ts';
import { deleteDocument } from '../../store/knowledge.ts';
import { agentNamed } from '../agents.ts';
import { storeOf, withStack } from '../attached.ts';
import { embedderOf } from '../embedder.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createOutput, type Output } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { time } from '../text/format.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { wholeNumber } from '../values.ts';

interface Common {
  tenant: string;
  json?: boolean;
}

interface AddOptions extends Common {
  agent?: string;
  name?: string;
  format?: DocumentFormat;
  by: string;
}

interface RemoveOptions extends Common {
  agent?: string;
  by: string;
}

export function addKnowledge(program: Command, terminal: Terminal = processTerminal): void {
  const knowledge = program.command('knowledge').description('documents that agents are shown the fitting parts of');
  const common = (command: Command): Command => command.option('--tenant <name>', 'whose documents', DEFAULT_TENANT).option('--json', 'print JSON');
  common(withExamples(knowledge.command('add <file>'), 'knowledge add docs/learning.md', 'knowledge add policy.html --agent support --name refund-policy'))
    .description('add a document, or make it the next version: chunks that are as they were stay, the others expire at once')
    .option('--agent <name>', 'show it to this agent alone; default: to all that ask for knowledge')
    .option('--name <name>', 'what it is cited as; default: the path')
    .addOption(new Option('--format <format>', 'default: by the file name').choices([...DOCUMENT_FORMATS]))
    .option('--by <who>', 'who adds it', currentUser())
    .action((file: string, options: AddOptions) => add(terminal, file, options));
  common(withExamples(knowledge.command('list'), 'knowledge list'))
    .description('documents that count')
    .action((options: Common) => list(terminal, options));
  common(withExamples(knowledge.command('remove <name>'), 'knowledge remove refund-policy --agent support'))
    .description('delete a document: none of it is found from now on')
    .option('--agent <name>', 'the one of this agent')
    .option('--by <who>', 'who removes it', currentUser())
    .action((name: string, options: RemoveOptions) => remove(terminal, name, options));
  common(withExamples(knowledge.command('search <agent> <query>'), 'knowledge search support "time limit of refunds"'))
    .description('find chunks as a new task finds them')
    .option('--limit <number>', 'at most so many', wholeNumber, 5)
    .action((agent: string, query: string, options: Common & { limit: number }) => search(terminal, agent, query, options));
  withExamples(knowledge.command('embed'), 'knowledge embed')
    .description('make the vectors that chunks lack, after a change of LOOPWRIGHT_EMBEDDING_MODEL')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => embed(terminal, options));
}

const BY_ENDING: Record<string, DocumentFormat> = { '.md': 'markdown', '.markdown': 'markdown', '.html': 'html', '.htm': 'html' };

async function add(terminal: Terminal, file: string, { agent, name = file, format, by, tenant, json }: AddOptions): Promise<void> {
  if (agent !== undefined) agentNamed(agent);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} can't be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`);
  });
  await withStack(terminal, async (stack) => {
    const services = { store: storeOf(stack), embedder: embedderOf(stack.config) };
    const given = { tenant, agent: agent ?? null, name, format: format ?? BY_ENDING[extname(file).toLowerCase()] ?? 'text', text, addedBy: by };
    const change = await addDocument(services, given, new Date());
    const output = createOutput({ terminal, json });
    printChange(output, name, change);
    if (!output.json && agent !== undefined && !agentNamed(agent).knowledge)
      output.print(safe`${output.paint.yellow('!')} ${agent} is shown no documents: its definition does not say knowledge: true`);
  });
}

function printChange(output: Output, name: string, change: DocumentChange): void {
  if (output.json) return output.printJson(change);
  const { version, kept, added, expired, embedded, rulesCiting } = change;
  output.print(safe`${output.paint.green('✓')} ${name}, version ${version}: ${added} chunks added, ${kept} kept, ${expired} expired, ${embedded} embedded`);
  for (const rule of rulesCiting) output.print(safe`${output.paint.yellow('!')} rule ${rule} cites what has expired: it goes no further; review it`);
}

async function list(terminal: Terminal, { tenant, json }: Common): Promise<void> {
  await withStack(terminal, async (stack) => {
    const documents = await listDocuments(storeOf(stack).database, tenant);
    const output = createOutput({ terminal, json });
    if (output.json) return output.printJson(documents);
    if (documents.length === 0) return output.print(safe`There are no documents.`);
    for (const { name, title, version, agent, chunks, updatedAt } of documents)
      output.print(safe`${output.paint.bold(name)}  version ${version}, ${chunks} chunks, ${agent ?? 'all agents'}, ${time(updatedAt.getTime())}  ${title}`);
  });
}

async function remove(terminal: Terminal, name: string, { agent, by, tenant, json }: RemoveOptions): Promise<void> {
  await withStack(terminal, async (stack) => {
    const { database } = storeOf(stack);
    const document = await getDocument(database, { tenant, agent: agent ?? null, name });
    const change = document && (await deleteDocument(database, { tenant, documentId: document.documentId, by, at: new Date() }));
    if (!change) throw new Error(`There is no document ${name}${agent === undefined ? '' : ` of ${agent}`}: see \`loopwright knowledge list\`.`);
    printChange(createOutput({ terminal, json }), name, { ...change, embedded: 0 });
  });
}

async function search(terminal: Terminal, agent: string, query: string, { limit, tenant, json }: Common & { limit: number }): Promise<void> {
  agentNamed(agent);
  await withStack(terminal, async (stack) => {
    const services = { store: storeOf(stack), embedder: embedderOf(stack.config) };
    const chunks = await retrieveKnowledge(services, { agent, tenant, query, limit });
    const output = createOutput({ terminal, json });
    if (output.json) return output.printJson(chunks);
    if (chunks.length === 0) return output.print(safe`No document says anything about it.`);
    for (const chunk of chunks) {
      output.print(safe`${output.paint.bold(citationOf(chunk))}  score ${chunk.score.toFixed(5)}  ${chunk.chunkId}`);
      for (const line of chunk.text.split('\n')) output.print(safe`   ${line}`);
    }
  });
}

async function embed(terminal: Terminal, { json }: { json?: boolean }): Promise<void> {
  await withStack(terminal, async (stack) => {
    const services = { store: storeOf(stack), embedder: embedderOf(stack.config) };
    const embedded = await embedChunks(services);
    const output = createOutput({ terminal, json });
    if (output.json) output.printJson({ embedder: services.embedder.name, embedded });
    else output.print(safe`${output.paint.green('✓')} ${String(embedded)} vectors made by ${services.embedder.name}`);
  });
}
