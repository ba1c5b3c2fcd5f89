/** Proposals without a model: from what evaluators say, what attempts did, and what calls were refused for. */
import type { AnyAgent, Memory } from '../agents/define-agent.ts';
import type { RulePayload, RuleSource } from '../contracts/learning.ts';
import type { ProposalTier, RuleKind } from '../contracts/reasons.ts';
import { comparedText } from '../memory/clusters.ts';
import { cutText, oneLine } from '../policy/text.ts';
import { readRepairs, type FailureRow } from '../store/failures.ts';
import { createRedactor } from '../telemetry/redaction.ts';
import { readInputText, type Evidence } from './learn-evidence.ts';
import { examplesOf } from './learn-seen.ts';
import type { Services } from './services.ts';

/** A change that may answer a cluster. */
export interface Draft {
  kind: RuleKind;
  content: string;
  payload: RulePayload | null;
  sources: RuleSource[];
  /** Knowledge that it rests on. */
  chunks: string[];
}

/** Null: the tier does not fit the cluster. */
export async function draftByRule(services: Services, evidence: Evidence, tier: ProposalTier): Promise<Draft | null> {
  if (tier === 'sentence') return sentenceOf(evidence);
  if (tier === 'example') return exampleOf(services, evidence);
  return tier === 'edit' ? descriptionOf(evidence) : null;
}

/** What only one task was told is about that task: a rule is said in the same words of several. */
function sentenceOf({ agent, failures }: Evidence): Draft | null {
  const said = failures.flatMap((failure) => {
    const sentence = standingSentence(agent, failure)?.trim();
    return sentence ? [{ sentence, failure }] : [];
  });
  const [most] = byTasks(said.map(({ sentence, failure }) => ({ key: sentence, failure })));
  if (!most || most.tasks < 2) return null;
  return { kind: 'sentence', content: most.key, payload: null, sources: examplesOf(most.failures), chunks: [] };
}

function standingSentence(agent: AnyAgent, { evaluator, type, message, evidence, fix, subject }: FailureRow): string | null {
  if (evaluator === null || type === null) return null;
  return agent.learn ? agent.learn.rule({ evaluator, type, message, evidence, fix, subject }) : fix && sentenceCase(fix);
}

/** A fix is written as a clause: "say good" becomes "Say good." */
function sentenceCase(text: string): string {
  const trimmed = oneLine(text, 500);
  return `${trimmed.slice(0, 1).toLocaleUpperCase('en')}${trimmed.slice(1)}${/[.!?。！？"”]$/u.test(trimmed) ? '' : '.'}`;
}

/** Longer ones are cut in prompts, and half an output shows nothing. */
const MAX_SIDE_CHARS = 2_000;
const MAX_SITUATION_CHARS = 400;
const redactor = createRedactor();

/** What an attempt did, and what passed later in the same task. The shortest pair: it costs every prompt. */
async function exampleOf({ store }: Services, { agent, kind, failures, finding }: Evidence): Promise<Draft | null> {
  if (kind.evaluator === '') return null;
  const repairs = await readRepairs(store.database, failures);
  const texts = await store.blobs.getMany([...new Set(repairs.flatMap(({ wrongHash, rightHash, inputHash }) => [wrongHash, rightHash, inputHash]))]);
  const pairs = repairs.flatMap(({ taskId, attempt, wrongHash, rightHash, inputHash }) => {
    const input = readInputText(agent, texts.get(inputHash));
    const [wrong, right] = [rendered(agent, texts.get(wrongHash)), rendered(agent, texts.get(rightHash))];
    const fits = input !== null && wrong !== '' && right !== '' && wrong !== right && Math.max(wrong.length, right.length) <= MAX_SIDE_CHARS;
    return fits ? [{ taskId, attempt, payload: { situation: situationOf(agent, input), wrong, right } }] : [];
  });
  const [shortest] = pairs.toSorted((a, b) => sizeOf(a.payload) - sizeOf(b.payload) || (a.taskId < b.taskId ? -1 : 1));
  if (!shortest) return null;
  const own = examplesOf(failures.filter(({ taskId, attempt }) => taskId === shortest.taskId && attempt === shortest.attempt));
  return { kind: 'example', content: `An output that failed and the one that passed: ${oneLine(finding.label, 200)}`, payload: shortest.payload, sources: own, chunks: [] };
}

function situationOf(agent: AnyAgent, input: unknown): string {
  const memory = agent.memory as Memory<unknown, unknown> | null | undefined;
  return redactor.text(cutText(memory?.situation(input, null) || agent.renderInput(input), MAX_SITUATION_CHARS));
}

function rendered(agent: AnyAgent, text: string | undefined): string {
  const parsed = text === undefined ? null : agent.output.safeParse(JSON.parse(text));
  return parsed?.success ? redactor.text(agent.renderOutput(parsed.data)).trim() : '';
}

function sizeOf({ wrong, right }: { wrong: string; right: string }): number {
  return wrong.length + right.length;
}

/** Mistakes in how a tool is called, which its description can prevent. */
const MISUSES = new Set(['invalid_arguments', 'invalid_json', 'prerequisite', 'plan_order', 'repeated_call', 'repaired_arguments']);
const MAX_REASON_CHARS = 400;

/** What calls of one tool were refused for, after what its description says. */
function descriptionOf({ agent, kind, failures }: Evidence): Draft | null {
  const tool = agent.tools.find(({ name }) => name === kind.tool);
  if (!tool || kind.evaluator !== '' || !MISUSES.has(kind.code)) return null;
  const [most] = byTasks(failures.map((failure) => ({ key: comparedText(failure.message), failure })));
  if (!most) return null;
  const reason = oneLine(redactor.text(most.failures[0]!.message), MAX_REASON_CHARS);
  const description = `${tool.description.trim()} Earlier calls were refused (${kind.code.replaceAll('_', ' ')}): ${reason}`;
  return {
    kind: 'tool_description',
    content: `The description of ${tool.name} says what calls were refused for: ${kind.code.replaceAll('_', ' ')}.`,
    payload: { tool: tool.name, description },
    sources: examplesOf(most.failures),
    chunks: [],
  };
}

/** Groups by key; that of most tasks first, equal ones in order of key. */
function byTasks(said: readonly { key: string; failure: FailureRow }[]): { key: string; tasks: number; failures: FailureRow[] }[] {
  const groups = [...Map.groupBy(said, ({ key }) => key)].map(([key, those]) => {
    const failures = those.map(({ failure }) => failure);
    return { key, failures, tasks: new Set(failures.map(({ taskId }) => taskId)).size };
  });
  return groups.toSorted((left, right) => right.tasks - left.tasks || (left.key < right.key ? -1 : 1));
}
