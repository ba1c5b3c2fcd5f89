import type { ScriptedAgent } from '../models/scripted/script.ts';
import type { AnyAgent } from './define-agent.ts';
import { codeRepairAgent } from './code-repair/agent.ts';
import { codeRepairScript } from './code-repair/scripted.ts';
import { supportAgent } from './support/agent.ts';
import { resetSupportSamples } from './support/samples.ts';
import { supportScript } from './support/scripted.ts';
import { testCasesAgent } from './test-cases/agent.ts';
import { testCasesScript } from './test-cases/scripted.ts';
import { weeklyReportAgent } from './weekly-report/agent.ts';
import { weeklyReportScript } from './weekly-report/scripted.ts';

/** An agent with what its demo and tests need. */
interface Entry {
  agent: AnyAgent;
  /** Stands in for the model where there is none. */
  script: ScriptedAgent;
  /** Sample tasks: JSON lines, read by `parseCases`. */
  cases: URL;
  /** Puts the agent's sample data back as it was seeded. */
  resetSamples?: AnyAgent['migrations'][string]['up'];
}

const casesOf = (folder: string): URL => new URL(`./${folder}/cases.jsonl`, import.meta.url);

/** Every agent: one line each. */
export const registry = {
  support: { agent: supportAgent, script: supportScript, cases: casesOf('support'), resetSamples: resetSupportSamples },
  'test-cases': { agent: testCasesAgent, script: testCasesScript, cases: casesOf('test-cases') },
  'weekly-report': { agent: weeklyReportAgent, script: weeklyReportScript, cases: casesOf('weekly-report') },
  'code-repair': { agent: codeRepairAgent, script: codeRepairScript, cases: casesOf('code-repair') },
} satisfies Record<string, Entry>;

export type RegisteredAgents = { [Name in keyof typeof registry]: (typeof registry)[Name]['agent'] };

const pick = <Key extends keyof Entry>(key: Key): Record<string, NonNullable<Entry[Key]>> =>
  Object.fromEntries(Object.entries<Entry>(registry).flatMap(([name, entry]) => (entry[key] === undefined ? [] : [[name, entry[key]]]))) as Record<string, NonNullable<Entry[Key]>>;

/** What a worker runs. */
export const agents = pick('agent') as RegisteredAgents;
/** What the scripted model server answers with. */
export const scripts = pick('script');
