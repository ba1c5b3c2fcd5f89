/** What agents learned from earlier tasks: found as a new task finds it. */
import type { Command } from 'commander';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { lessonOf } from '../../memory/experience.ts';
import { embeddedText, retrieveExperiences, type RetrievedExperience } from '../../retrieval/experiences.ts';
import { agentNamed } from '../agents.ts';
import { storeOf, withStack } from '../attached.ts';
import { embedderOf } from '../embedder.ts';
import { withExamples } from '../examples.ts';
import { createOutput, type Output } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { safe } from '../text/safe.ts';
import { currentUser } from '../user.ts';
import { wholeNumber } from '../values.ts';

/** Experiences whose vectors are made at a time. */
const BATCH = 32;

interface Common {
  tenant: string;
  json?: boolean;
}

interface ChangeOptions extends Common {
  by: string;
}

interface SearchOptions extends Common {
  limit: number;
  signature?: string;
}

export function addMemory(program: Command, terminal: Terminal = processTerminal): void {
  const memory = program.command('memory').description('what agents learned from earlier tasks');
  withExamples(memory.command('search <agent> <query>'), 'memory search code-repair "mean of an empty list"', 'memory search support 退款 --limit 5')
    .description('find experiences as a new task finds them, and say why each stands where it stands')
    .option('--limit <number>', 'at most so many', wholeNumber, 10)
    .option('--signature <kind>', 'also those about this kind of failure: evaluator|type|tool|error code')
    .option('--tenant <name>', 'whose experience', DEFAULT_TENANT)
    .option('--json', 'print JSON')
    .action((agent: string, query: string, options: SearchOptions) => search(terminal, agent, query, options));
  withExamples(memory.command('retire <id>'), 'memory retire 3f9a0c1b2d4e5f60718293a4')
    .description('recall an experience no more, from the next task on')
    .option('--tenant <name>', 'whose experience', DEFAULT_TENANT)
    .option('--by <who>', 'who does it', currentUser())
    .option('--json', 'print JSON')
    .action((id: string, options: ChangeOptions) => change(terminal, id, options, 'retired'));
  withExamples(memory.command('verify <id>'), 'memory verify 3f9a0c1b2d4e5f60718293a4')
    .description('vouch for an experience: models are told that it was reviewed')
    .option('--tenant <name>', 'whose experience', DEFAULT_TENANT)
    .option('--by <who>', 'who does it', currentUser())
    .option('--json', 'print JSON')
    .action((id: string, options: ChangeOptions) => change(terminal, id, options, 'verified'));
  withExamples(memory.command('embed'), 'memory embed')
    .description('make the vectors that experiences lack, after a change of LOOPWRIGHT_EMBEDDING_MODEL')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => embed(terminal, options));
}

async function search(terminal: Terminal, agent: string, query: string, { limit, signature, tenant, json }: SearchOptions): Promise<void> {
  const { memory } = agentNamed(agent);
  await withStack(terminal, async (stack) => {
    const services = { store: storeOf(stack), embedder: embedderOf(stack.config) };
    const found = await retrieveExperiences(services, { agent, tenant, situation: query, signatures: signature === undefined ? [] : [signature], limit, now: Date.now() });
    const output = createOutput({ terminal, json });
    if (output.json) return output.printJson(found.map(({ experience, ranked }) => ({ ...experience, ranked })));
    if (found.length === 0) return output.print(memory ? safe`Nothing that ${agent} learned fits.` : safe`${agent} keeps no memory: its definition has none.`);
    for (const [index, hit] of found.entries()) printHit(output, index + 1, hit);
  });
}

function printHit(output: Output, place: number, { experience, ranked }: RetrievedExperience): void {
  const { experienceId, helped, harmed, timesSeen } = experience;
  output.print(safe`${output.paint.bold(`${place}. ${experienceId}`)}  ${ranked === null ? 'contradicts the one above' : `score ${ranked.score.toFixed(5)}`}`);
  if (ranked !== null) {
    const { text, vector, exact } = ranked.ranks;
    const rank = (value: number | null): string => (value === null ? '–' : `#${value}`);
    output.print(
      safe`   words ${rank(text)} · vector ${rank(vector)} · exact ${rank(exact)} · age ×${ranked.age.toFixed(2)} · trust ×${ranked.trust.toFixed(2)} (helped ${helped}, harmed ${harmed}) · seen ${timesSeen}×`,
    );
  }
  for (const line of lessonOf(experience).split('\n')) output.print(safe`   ${line}`);
}

async function change(terminal: Terminal, id: string, { tenant, by, json }: ChangeOptions, to: 'retired' | 'verified'): Promise<void> {
  await withStack(terminal, async (stack) => {
    const { experiences } = storeOf(stack);
    const actor = { by, via: 'local' };
    const isDone = to === 'retired' ? await experiences.retire(id, tenant, actor) : await experiences.verify(id, tenant, actor);
    if (!isDone) throw new Error(`There is no experience ${id} of tenant ${tenant}: \`loopwright memory search <agent> <query>\` prints ids.`);
    const output = createOutput({ terminal, json });
    if (output.json) output.printJson({ experienceId: id, [to]: true });
    else output.print(safe`${output.paint.green('✓')} ${id} is ${to}`);
  });
}

async function embed(terminal: Terminal, { json }: { json?: boolean }): Promise<void> {
  await withStack(terminal, async (stack) => {
    const { experiences } = storeOf(stack);
    const embedder = embedderOf(stack.config);
    let embedded = 0;
    for (;;) {
      const lacking = await experiences.listUnembedded(embedder.name, BATCH);
      if (lacking.length === 0) break;
      const vectors = await embedder.embed(lacking.map(embeddedText));
      for (const [index, { experienceId }] of lacking.entries()) await experiences.setEmbedding(experienceId, vectors[index]!, embedder.name);
      embedded += lacking.length;
    }
    const output = createOutput({ terminal, json });
    if (output.json) output.printJson({ embedder: embedder.name, embedded });
    else output.print(safe`${output.paint.green('✓')} ${String(embedded)} vectors made by ${embedder.name}`);
  });
}
