import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalText } from './json-value.ts';

/**
 * What a decision token signs. `approver` and everything else that counts is inside, so that neither the body of a request nor whoever
 * carries the message can change who decided what, about which bytes.
 */
export interface DecisionStatement {
  keyId: string;
  taskId: string;
  approvalId: string;
  /** The approval's hash; null for questions. */
  argumentsHash: string | null;
  /** Subject of the approver, as the gateway (or the CLI's own key) has authenticated it. */
  approver: string;
  /** Roles that the approver held when deciding, sorted. */
  roles: string[];
  decision: string;
  reason: string;
  /** The edit or the answer, as JSON; null for none. */
  value: unknown;
  /** Names this token; one token counts once. */
  tokenId: string;
  /** Unix ms. After it the token counts for nothing. */
  expiresAt: number;
}

/** Parts these signatures from any other use of the same key. */
const PURPOSE = 'loopwright.decision.v1\n';
/** Of a statement's JSON; an edit has at most 64,000, which quotes may double. */
const MAX_STATEMENT = 200_000;

/** The signed bytes: purpose and canonical JSON (sorted keys), UTF-8; null when the value can't be written so. */
function statementBytes(statement: DecisionStatement): Uint8Array | null {
  const text = canonicalText({ ...statement, roles: statement.roles.toSorted() }, MAX_STATEMENT);
  return text === null ? null : utf8ToBytes(PURPOSE + text);
}

/** @param secretKey 32 bytes. @returns the signature, hex. @throws when the statement's value is not plain JSON. */
export function signStatement(statement: DecisionStatement, secretKey: Uint8Array): string {
  const bytes = statementBytes(statement);
  if (!bytes) throw new TypeError('"value" must be plain JSON to be signed');
  return bytesToHex(ed25519.sign(bytes, secretKey));
}

/** Whether the signature is that of the key for exactly this statement (RFC 8032, strict encodings). Never throws. @param publicKey hex of 32 bytes */
export function isSigned(statement: DecisionStatement, signature: string, publicKey: string): boolean {
  try {
    const bytes = statementBytes(statement);
    return bytes !== null && ed25519.verify(hexToBytes(signature), bytes, hexToBytes(publicKey), { zip215: false });
  } catch {
    return false;
  }
}
