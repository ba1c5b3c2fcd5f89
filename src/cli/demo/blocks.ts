import type { Safe } from '../text/safe.ts';

/** Where one of several tasks that run at the same time writes. */
export interface Block {
  say(line: Safe): void;
  end(): void;
}

/**
 * Blocks of lines in the order in which they were opened: the first open one is live, what the others say comes when it is their turn.
 * So several tasks can be read as they run, one after the other.
 */
export function createBlocks(print: (line: Safe) => void): { open(): Block } {
  interface Entry {
    waiting: Safe[];
    ended: boolean;
  }
  const queue: Entry[] = [];
  const advance = (): void => {
    for (let first = queue[0]; first; first = queue[0]) {
      first.waiting.splice(0).forEach((line) => print(line));
      if (!first.ended) return;
      queue.shift();
    }
  };
  return {
    open() {
      const entry: Entry = { waiting: [], ended: false };
      queue.push(entry);
      return {
        say(line) {
          entry.waiting.push(line);
          advance();
        },
        end() {
          entry.ended = true;
          advance();
        },
      };
    },
  };
}
