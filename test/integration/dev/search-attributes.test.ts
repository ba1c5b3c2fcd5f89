import { randomUUID } from 'node:crypto';
import { Client, type Connection } from '@temporalio/client';
import { SearchAttributeType, defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../../src/contracts/names.ts';
import { prepareNamespace } from '../../../src/dev/namespace.ts';
import { registerSearchAttributes, SearchAttributeError } from '../../../src/dev/search-attributes.ts';
import { testConnection, uniqueTaskQueue } from '../../support/temporal.ts';
import { until } from '../../support/loop.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await testConnection();
});
afterAll(() => connection.close());

async function newNamespace(): Promise<string> {
  const namespace = `attributes-${randomUUID()}`;
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: { seconds: 86_400 as never } });
  await prepareNamespace(connection, namespace);
  return namespace;
}

const ALL_NAMES = Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name);

async function registered(namespace: string): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.keys(customAttributes!).toSorted();
}

test('are usable as soon as it returns, on a namespace that existed without them', async () => {
  const namespace = await newNamespace();
  await registerSearchAttributes(connection, namespace);
  const client = new Client({ connection, namespace });
  const { agent, score } = SEARCH_ATTRIBUTES;
  await client.workflow.start('agentTask', {
    workflowId: 'task-1',
    taskQueue: uniqueTaskQueue(),
    args: [],
    typedSearchAttributes: new TypedSearchAttributes([
      { key: defineSearchAttributeKey(agent.name, SearchAttributeType.KEYWORD), value: 'support' },
      { key: defineSearchAttributeKey(score.name, SearchAttributeType.DOUBLE), value: 87.5 },
    ]),
  });
  // what is listed and counted follows what is started by a moment
  const counted = until('the workflow in the count', async () => (await client.workflow.count(`${agent.name} = "support" AND ${score.name} > 80`)).count === 1);
  await expect(counted).resolves.toBe(true);
});

test('registering again, and from several places at once, changes nothing', async () => {
  const namespace = await newNamespace();
  await Promise.all(Array.from({ length: 4 }, () => registerSearchAttributes(connection, namespace)));
  const before = await registered(namespace);
  await registerSearchAttributes(connection, namespace);
  expect(await registered(namespace)).toEqual(before);
  expect(before).toEqual(expect.arrayContaining(ALL_NAMES));
});

test('those that are missing are added to those that exist', async () => {
  const namespace = await newNamespace();
  await registerSearchAttributes(connection, namespace, { attributes: [SEARCH_ATTRIBUTES.agent] });
  expect(await registered(namespace)).not.toContain(SEARCH_ATTRIBUTES.score.name);
  await registerSearchAttributes(connection, namespace);
  expect(await registered(namespace)).toEqual(expect.arrayContaining(ALL_NAMES));
});

test('a name with another type is a clear error', async () => {
  const namespace = await newNamespace();
  await registerSearchAttributes(connection, namespace, { attributes: [{ name: SEARCH_ATTRIBUTES.score.name, type: 'KEYWORD' }] });
  const error = await registerSearchAttributes(connection, namespace).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SearchAttributeError);
  expect((error as Error).message).toContain(`${SEARCH_ATTRIBUTES.score.name} is KEYWORD, but must be DOUBLE`);
  expect((error as Error).message).toContain(namespace);
});

test('a namespace that does not exist is a clear error', async () => {
  await expect(registerSearchAttributes(connection, 'not-there')).rejects.toThrow(/not-there/);
  expect(inject('temporalNamespace')).toBe('default');
});
