/** Reads the lines of a `text/event-stream` as they come, in pieces of any size. */

export interface ServerEvent {
  /** Empty when the event has none: then it is not part of what a reconnect resumes. */
  id: string;
  type: string;
  data: string;
}

/** @returns a function that takes the next piece of text and gives the events that it completes. `onRetry`: the server asks to wait so many ms. */
export function createEventReader(onRetry: (ms: number) => void = () => {}): (piece: string) => ServerEvent[] {
  let rest = '';
  let event: ServerEvent = { id: '', type: '', data: '' };
  let lines: string[] = [];

  const readLine = (line: string, into: ServerEvent[]): void => {
    if (line === '') {
      if (lines.length > 0) into.push({ ...event, type: event.type || 'message', data: lines.join('\n') });
      event = { id: '', type: '', data: '' };
      lines = [];
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') lines.push(value);
    else if (field === 'event') event.type = value;
    else if (field === 'id' && !value.includes('\0')) event.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) onRetry(Number(value));
  };

  return (piece) => {
    const events: ServerEvent[] = [];
    rest += piece;
    // A carriage return at the end may be half of a line break: it waits for the next piece.
    for (let end; (end = /\r\n|\n|\r(?!$)/.exec(rest)) !== null;) {
      readLine(rest.slice(0, end.index), events);
      rest = rest.slice(end.index + end[0].length);
    }
    return events;
  };
}

/** The number and the rest of an id such as `12-9f8e7d6c`; null when it is none of ours. */
export function parseEventId(id: string): { number: number; of: string } | null {
  const parts = /^(\d{1,15})-([0-9a-f]{8})$/.exec(id);
  return parts ? { number: Number(parts[1]), of: parts[2]! } : null;
}
