import type { EvaluationContext, JudgeReply, JudgeRequest, ObservedCall } from '../../../src/evaluation/define-evaluator.ts';

export function contextOf(text: string, change: Partial<EvaluationContext> = {}): EvaluationContext {
  return {
    taskId: 't',
    agent: 'support',
    attempt: 1,
    input: { message: 'hello' },
    output: { reply: text },
    text,
    perception: null,
    calls: [],
    previous: null,
    correction: null,
    sandbox: null,
    emit: async () => {},
    signal: new AbortController().signal,
    judge: async () => {
      throw new Error('no judge here');
    },
    ...change,
  };
}

export function callOf(tool: string, result: ObservedCall['result'], change: Partial<ObservedCall> = {}): ObservedCall {
  return { callId: 'a1.t1.c1', tool, status: 'success', arguments: {}, result, code: null, reason: null, ...change };
}

/** A judge that gives these answers in turn, and remembers what it was asked. */
export function scriptedJudge(...replies: (JudgeReply | ((request: JudgeRequest) => JudgeReply))[]) {
  const requests: JudgeRequest[] = [];
  const judge = async (request: JudgeRequest): Promise<JudgeReply> => {
    requests.push(request);
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    if (!reply) throw new Error('no reply was scripted');
    return typeof reply === 'function' ? reply(request) : reply;
  };
  return { judge, requests };
}
