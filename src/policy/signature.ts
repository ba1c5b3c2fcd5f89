/** What kind of failure it was; empty parts are not known or do not apply. */
export interface FailureKind {
  /** Evaluator that found it; empty: no evaluator did (a tool call that failed, an attempt without a draft). */
  evaluator: string;
  /** Type of the issue. */
  type: string;
  /** Tool that it is about. */
  tool: string;
  /** Error code of the call, such as `invalid_arguments`. */
  code: string;
}

const SEPARATOR = '|';

/** Signature of a failure (DESIGN §7): `evaluator|type|tool|code`. Equal for failures of one kind, whatever the task; a separator inside a part becomes `/`. */
export function signatureOf({ evaluator, type, tool, code }: Partial<{ [Part in keyof FailureKind]: string | null }>): string {
  return [evaluator, type, tool, code].map((part) => (part ?? '').replaceAll(SEPARATOR, '/').trim()).join(SEPARATOR);
}

/** The parts of a signature. */
export function readSignature(signature: string): FailureKind {
  const [evaluator = '', type = '', tool = '', code = ''] = signature.split(SEPARATOR);
  return { evaluator, type, tool, code };
}
