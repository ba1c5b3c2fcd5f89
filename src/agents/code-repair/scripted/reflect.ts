import { answer, type ScriptedReply, type ScriptedRequest } from '../../../models/scripted/script.ts';

/**
 * Reads the run as it was shown and quotes it; where it was shown none, it has nothing to quote and its reflection is discarded. It proposes no rule:
 * what it heeds must come from somebody else.
 */
export function reflectOnRun(request: ScriptedRequest): ScriptedReply {
  const text = request.lastUser();
  const task = /<task>(.*?)<\/task>/s.exec(text)?.[1]?.replace(/\s+/g, ' ').trim().slice(0, 200) ?? '';
  const lines = /<run>\n(.*?)\n<\/run>/s.exec(text)?.[1]?.split('\n') ?? [];
  const line = lines.find((each) => !each.startsWith('same_code') && !each.startsWith('not_right')) ?? '';
  const [, type = 'unknown', message = ''] = /^(\S+?): (.*?)(?: \[.*)?$/s.exec(line) ?? [];
  return answer({ task, error_type: type, root_cause: causeOf(type, message), fix_suggestion: fixOf(type), improved_rule: '', evidence: message });
}

function causeOf(type: string, message: string): string {
  return type === 'TypeError' ? `An item of another type reached an operation that takes numbers: ${message}` : `The run ended so: ${message}`;
}

function fixOf(type: string): string {
  switch (type) {
    case 'TypeError':
      return 'Use only the items of the type that the operation takes.';
    case 'Timeout':
      return 'Make every turn of the loop come closer to its end.';
    case 'NoSandbox':
      return 'Write the same in the other language.';
    default:
      return 'Change the place from which the failing result came, and nothing else.';
  }
}
