import { bodyLimit } from 'hono/body-limit';
import type { MiddlewareHandler } from 'hono';
import { MAX_INPUT_BYTES } from '../../contracts/task-input.ts';
import type { GatewayEnvironment } from '../environment.ts';
import { isSafe } from './own-origin.ts';
import { ProblemError } from './problem.ts';

/** The largest input, with room for what is around it. */
export const MAX_BODY_BYTES = MAX_INPUT_BYTES + 64 * 1024;

/** 415 for a body that does not say that it is JSON: forms of other pages can't say so without asking first. */
export const jsonOnly: MiddlewareHandler<GatewayEnvironment> = async (context, next) => {
  const { method } = context.req;
  const type = context.req.header('content-type');
  const empty = context.req.header('transfer-encoding') === undefined && Number(context.req.header('content-length') ?? 0) === 0;
  if (!isSafe(method) && !(empty && type === undefined) && !isJson(type))
    throw new ProblemError(415, 'not_json', `Send JSON with "Content-Type: application/json"${type === undefined ? '' : `, not ${JSON.stringify(type.slice(0, 100))}`}.`);
  await next();
};

export function isJson(type: string | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(type ?? '');
}

export const limitedBody: MiddlewareHandler<GatewayEnvironment> = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new ProblemError(413, 'too_large', `The body has more than ${MAX_BODY_BYTES} bytes. Keep large inputs in a store and send a reference.`);
  },
}) as MiddlewareHandler<GatewayEnvironment>;
