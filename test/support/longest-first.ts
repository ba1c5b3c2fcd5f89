import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that run longest on a quiet machine, about 8 s and more, longest first. A long file that starts last is waited for alone. Vitest
 * remembers durations, but a fresh clone has none, and those of a busy machine mislead.
 */
const LONGEST = [
  'chaos/worker-killed',
  'integration/cli/agent-new',
  'browser/inbox',
  'workflow/long-task',
  'integration/queue/consumer',
  'browser/task',
  'integration/cli/dev',
  'chaos/effect-unknown',
  'integration/cli/demo',
  'browser/learning',
  'browser/overview',
  'integration/dev/stack',
  'boundaries/boundaries',
  'docs/adding-an-agent',
  'chaos/learning-killed',
  'integration/cli/administration',
  'integration/cli/interactive',
  'integration/store/embedded-postgres',
  'integration/dev/temporal-server',
  'integration/agents/support/cases',
  'integration/cli/commands',
  'workflow/endings',
  'workflow/approvals-state',
  'chaos/postgres-restarted',
  'integration/agents/code-repair/cases',
  'integration/agents/weekly-report/cases',
  'workflow/reports/model-api',
  'workflow/approvals-signed',
  'workflow/messages',
  'gateway/tasks',
  'integration/memory/search-time',
  'integration/sandbox/attacks',
  'integration/memory/concurrency',
  'workflow/reports/durability-size',
  'integration/agents/contract',
  'integration/live/watch',
  'chaos/temporal-killed',
  'docs/typescript-blocks',
];

const RANK = new Map(LONGEST.map((name, rank) => [name, rank]));
const rankOf = ({ moduleId }: TestSpecification): number => RANK.get(/\/test\/(.+)\.test\.ts$/.exec(moduleId)?.[1] ?? '') ?? LONGEST.length;

/** The long files, then the others as vitest orders them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
