/** One call that was asked for, run or not, in order. Keep those of one attempt: the next starts without the dead ends. */
export type CallRecord = {
  turn: number;
  tool: string;
  /** Of the canonical arguments, so key order and white space make no difference. Null when they could not be read. */
  argumentsHash: string | null;
  status: string;
  resultHash: string | null;
  /** The tool declares `polling`: it may repeat. */
  polling?: boolean;
};

type Asked = Pick<CallRecord, 'tool' | 'argumentsHash'>;

const LONGEST_CYCLE = 4;

function sameCall(a: Asked, b: Asked): boolean {
  return a.tool === b.tool && a.argumentsHash === b.argumentsHash;
}

function failing(record: CallRecord): boolean {
  return record.status !== 'success' && record.status !== 'partial';
}

/** For each record: whether it is a success that the same call had not brought before. */
function news(history: CallRecord[]): boolean[] {
  const seen = new Set<string>();
  return history.map((record) => {
    if (failing(record)) return false;
    const key = JSON.stringify([record.tool, record.argumentsHash, record.resultHash]);
    const fresh = !seen.has(key);
    seen.add(key);
    return fresh;
  });
}

/** Turns that a stretch of records spans; parallel calls of one turn are one try. */
function turnsOf(records: CallRecord[]): number {
  return records.filter((record, index) => index === 0 || record.turn !== (records[index - 1] as CallRecord).turn).length;
}

/**
 * How often a call has been asked for, this time included, since anything new was learned: from its own result, or from
 * another call (editing a file and running the same test again is progress). `warn` at `limit`, `stop` one later.
 * @param asked what was asked for before this call
 */
export function repeatedCalls(asked: CallRecord[], call: Asked, limit: number): { count: number; verdict: 'ok' | 'warn' | 'stop' } {
  const history = asked.filter((record) => !record.polling);
  const lastNews = news(history).lastIndexOf(true);
  const since = history.slice(lastNews + 1);
  const source = history[lastNews];
  // The first result of this very call was asked for once; a result that differs from an earlier one was not in vain.
  if (source && sameCall(source, call) && !history.slice(0, lastNews).some((record) => sameCall(record, call))) since.unshift(source);
  const count = turnsOf(since.filter((record) => sameCall(record, call))) + 1;
  return { count, verdict: count > limit ? 'stop' : count === limit ? 'warn' : 'ok' };
}

/** How often the last `length` calls, as a block, stand at the end of the history without news after the first time. */
function repeats(history: CallRecord[], isNews: boolean[], length: number): number {
  let matched = length;
  while (matched < history.length) {
    const later = history.length - matched + length - 1;
    if (isNews[later] || !sameCall(history[later - length] as CallRecord, history[later] as CallRecord)) break;
    matched += 1;
  }
  return Math.floor(matched / length);
}

/**
 * A sentence when the history ends in a cycle of 1 to 4 calls that bring nothing new, gone through at least `limit`
 * times over more than `limit` turns (so that the warning at `limit` can be heeded), in one tool denied that often
 * whatever its arguments (a tool that does not exist), in more than twice as many turns with one and the same call or in which
 * nothing could run, or four times as many in which nothing succeeded; else null.
 */
export function detectPingPong(history: CallRecord[], limit: number): string | null {
  const records = history.filter((record) => !record.polling);
  const isNews = news(records);
  for (let length = 1; length <= LONGEST_CYCLE && length <= records.length; length += 1) {
    const times = repeats(records, isNews, length);
    const cycle = records.slice(-length);
    if (times >= limit && turnsOf(records.slice(-length * times)) > limit) {
      const names = cycle.map((record) => record.tool).join(' → ');
      return length === 1
        ? `${names} was called ${times} times in a row with the same arguments and brought nothing new.`
        : `The calls ${names} went round ${times} times with the same arguments and brought nothing new.`;
    }
  }
  return deniedAgain(records, limit) ?? sameAgain(records, limit) ?? nothingWorks(records, limit);
}

function deniedAgain(records: CallRecord[], limit: number): string | null {
  const last = records.at(-1);
  if (!last) return null;
  const start = records.findLastIndex((record) => record.tool !== last.tool || record.status !== 'denied') + 1;
  const turns = turnsOf(records.slice(start));
  return turns > limit ? `${last.tool} was asked for in ${turns} turns in a row and never could run.` : null;
}

/** A result that differs each time (a clock, a counter) is no reason to ask for ever; a tool that is meant for that declares `polling`. */
function sameAgain(records: CallRecord[], limit: number): string | null {
  const last = records.at(-1);
  if (!last) return null;
  const start = records.findLastIndex((record) => !sameCall(record, last)) + 1;
  const turns = turnsOf(records.slice(start));
  return turns > 2 * limit ? `${last.tool} was called in ${turns} turns in a row with the same arguments and nothing else was done; only a polling tool may do that.` : null;
}

/** Turns at the end of the history in all of whose calls `is` holds. */
function turnsWhere(records: CallRecord[], is: (record: CallRecord) => boolean): number {
  const last = records.findLast((record) => !is(record));
  const start = records.findLastIndex((record) => record.turn === last?.turn) + 1;
  return turnsOf(records.slice(start));
}

/** Whatever was asked for, nothing could run, or nothing succeeded: other names and arguments are no progress by themselves. */
function nothingWorks(records: CallRecord[], limit: number): string | null {
  const denied = turnsWhere(records, (record) => record.status === 'denied');
  if (denied > 2 * limit) return `In ${denied} turns in a row no call could run.`;
  const failed = turnsWhere(records, failing);
  return failed > 4 * limit ? `In ${failed} turns in a row no call succeeded.` : null;
}
