/** Registers our search attributes with Temporal. The dev server's own flag is ignored on an existing database, so this runs at every start. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contracts/names.ts';

type AttributeType = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES]['type'];
export interface SearchAttribute {
  name: string;
  type: AttributeType;
}

/** Numbers of `temporal.api.enums.v1.IndexedValueType`. */
const TYPE_NUMBERS: Record<AttributeType, number> = { KEYWORD: 2, INT: 3, DOUBLE: 4, BOOL: 5 };
const TYPE_NAMES = ['UNSPECIFIED', 'TEXT', 'KEYWORD', 'INT', 'DOUBLE', 'BOOL', 'DATETIME', 'KEYWORD_LIST'];

export class SearchAttributeError extends Error {
  override readonly name = 'SearchAttributeError';
}

/**
 * Adds those that are missing, and returns when workflows can use them. Safe to call from several processes at once.
 * @throws {SearchAttributeError} a name is taken with another type, it is not allowed, or they don't appear within `timeoutMs`
 */
export async function registerSearchAttributes(
  connection: Connection,
  namespace: string,
  { attributes = Object.values(SEARCH_ATTRIBUTES), timeoutMs = 30_000 }: { attributes?: readonly SearchAttribute[]; timeoutMs?: number } = {},
): Promise<void> {
  const missing = findMissing(await listRegistered(connection, namespace), attributes, namespace);
  if (missing.length > 0) await add(connection, namespace, missing);
  await waitUntilUsable(connection, namespace, attributes, timeoutMs);
}

/** Looks only. @returns those that are not there @throws {SearchAttributeError} a name is taken with another type, or they can't be listed */
export async function missingSearchAttributes(connection: Connection, namespace: string): Promise<readonly SearchAttribute[]> {
  return findMissing(await listRegistered(connection, namespace), Object.values(SEARCH_ATTRIBUTES), namespace);
}

async function listRegistered(connection: Connection, namespace: string): Promise<Record<string, number>> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return (customAttributes ?? {}) as Record<string, number>;
  } catch (error) {
    throw refused(error, namespace, 'list');
  }
}

function findMissing(registered: Record<string, number>, attributes: readonly SearchAttribute[], namespace: string): SearchAttribute[] {
  const conflicts = attributes.filter(({ name, type }) => registered[name] !== undefined && registered[name] !== TYPE_NUMBERS[type]);
  if (conflicts.length > 0) {
    const lines = conflicts.map(({ name, type }) => `${name} is ${TYPE_NAMES[registered[name]!] ?? registered[name]}, but must be ${type}`);
    throw new SearchAttributeError(
      `Search attributes of the namespace "${namespace}" have another type: ${lines.join('; ')}. ` +
        'Remove them (`temporal operator search-attribute remove --name …`) or use another namespace (TEMPORAL_NAMESPACE).',
    );
  }
  return attributes.filter(({ name }) => registered[name] === undefined);
}

async function add(connection: Connection, namespace: string, missing: readonly SearchAttribute[]): Promise<void> {
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map(({ name, type }) => [name, TYPE_NUMBERS[type]])),
    });
  } catch (error) {
    // ALREADY_EXISTS: another process was quicker; whether with the same types, the next listing says.
    if (!isGrpcServiceError(error) || error.code !== 6) throw refused(error, namespace, 'add', missing);
    findMissing(await listRegistered(connection, namespace), missing, namespace);
  }
}

function refused(error: unknown, namespace: string, what: 'list' | 'add', missing: readonly SearchAttribute[] = Object.values(SEARCH_ATTRIBUTES)): SearchAttributeError {
  const details = isGrpcServiceError(error) ? error.details : (error as Error).message;
  const wanted = missing.map(({ name, type }) => `${name} (${type})`).join(', ');
  return new SearchAttributeError(`Temporal refused to ${what} search attributes of the namespace "${namespace}": ${details}. Where operators register them, ask for: ${wanted}.`, {
    cause: error,
  });
}

/** Listed is not yet usable: the server's mapping is cached. A query that names them all is refused until they can be used. */
async function waitUntilUsable(connection: Connection, namespace: string, attributes: readonly SearchAttribute[], timeoutMs: number): Promise<void> {
  const query = attributes.map(({ name }) => `${name} IS NOT NULL`).join(' AND ');
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace, query });
      return;
    } catch (error) {
      // INVALID_ARGUMENT: not known yet. Anything else is not about the attributes.
      if (!isGrpcServiceError(error) || error.code !== 3) throw error;
      if (Date.now() > deadline)
        throw new SearchAttributeError(`Search attributes were added to "${namespace}", but can't be used after ${timeoutMs / 1000} s: ${error.details}`, { cause: error });
      await sleep(50);
    }
  }
}
