/** The Temporal server, as tasks need it. */
import type { Connection } from '@temporalio/client';
import { missingSearchAttributes } from '../../dev/search-attributes.ts';
import { count } from '../text/format.ts';
import { type Check, failed, looked, ok, warning } from './check.ts';

export interface TemporalPlace {
  connection: Connection;
  address: string;
  namespace: string;
  taskQueue: string;
}

export async function temporalChecks(place: TemporalPlace): Promise<Check[]> {
  return (await Promise.all([serverCheck(place), attributesCheck(place), workersCheck(place)])).flat();
}

function serverCheck({ connection, address, namespace }: TemporalPlace): Promise<Check[]> {
  const fix = `Make the namespace (\`temporal operator namespace create ${namespace}\`), or set TEMPORAL_NAMESPACE to one that is there.`;
  return looked('temporal', fix, async () => {
    const [{ serverVersion }] = await Promise.all([connection.workflowService.getSystemInfo({}), connection.workflowService.describeNamespace({ namespace })]);
    return ok('temporal', `Temporal ${serverVersion ?? ''} at ${address}, namespace ${namespace}`);
  });
}

function attributesCheck({ connection, namespace }: TemporalPlace): Promise<Check[]> {
  return looked('search attributes', 'They are made when a worker starts (`npm run loopwright -- worker`), or by operators where it may not.', async () => {
    const missing = await missingSearchAttributes(connection, namespace);
    if (missing.length === 0) return ok('search attributes', 'all are registered');
    const commands = missing.map(({ name, type }) => `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${temporalName(type)}`);
    return failed('search attributes', `missing: ${missing.map(({ name }) => name).join(', ')}`, `Start a worker, which makes them, or run: ${commands.join(' && ')}`);
  });
}

function temporalName(type: string): string {
  return `${type[0]}${type.slice(1).toLowerCase()}`;
}

/** 1 is the enum's WORKFLOW. */
function workersCheck({ connection, namespace, taskQueue }: TemporalPlace): Promise<Check[]> {
  return looked('worker', 'Start one: npm run loopwright -- worker', async () => {
    const { pollers } = await connection.workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType: 1 });
    const found = pollers?.length ?? 0;
    if (found > 0) return ok('worker', `${count(found, 'worker')} on task queue ${taskQueue}`);
    return warning(
      'worker',
      `nobody works on task queue ${taskQueue}: tasks wait`,
      'Start one: npm run loopwright -- worker (or set LOOPWRIGHT_TASK_QUEUE to the queue that is worked on)',
    );
  });
}
