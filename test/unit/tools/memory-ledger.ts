import type { CallRecord, LedgerCall, LedgerEntry, LedgerPort } from '../../../src/tools/ledger.ts';

/** The ledger's port over a map, able to die at each of its two moments. */
export class MemoryLedger implements LedgerPort {
  readonly entries = new Map<string, { executions: number; record: CallRecord | null }>();
  failBegin = false;
  failFinish = false;

  async begin(call: LedgerCall): Promise<LedgerEntry> {
    if (this.failBegin) throw new Error('ledger unreachable');
    const entry = this.entries.get(call.callId);
    if (!entry) {
      this.entries.set(call.callId, { executions: 1, record: null });
      return { state: 'new' };
    }
    return entry.record ? { state: 'finished', record: entry.record } : { state: 'started', executions: entry.executions };
  }
  async countExecution(call: LedgerCall): Promise<void> {
    const entry = this.entries.get(call.callId);
    if (!entry) throw new Error('never begun');
    entry.executions += 1;
  }
  async finish(call: LedgerCall, record: CallRecord): Promise<void> {
    if (this.failFinish) throw new Error('ledger unreachable');
    const entry = this.entries.get(call.callId);
    if (!entry) throw new Error('never begun');
    entry.record ??= record;
  }
  record(callId = 'c1'): CallRecord | null | undefined {
    return this.entries.get(callId)?.record;
  }
}
