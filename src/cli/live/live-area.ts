/** A few lines at the end of a terminal that change in place, while other lines are printed above them. */
import { clearScreenDown, moveCursor } from 'node:readline';
import { fitTo } from '../text/fit.ts';
import type { Safe } from '../text/safe.ts';

export interface LiveArea {
  /** A line that stays, above the area. */
  say(line: Safe): void;
  /** Replaces the area. */
  show(lines: Safe[]): void;
  /** Takes the area away. */
  end(): void;
}

type Screen = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>;

/** @param screen a terminal */
export function createLiveArea(screen: Screen): LiveArea {
  let shown: Safe[] = [];
  let drawn = 0;
  const erase = (): void => {
    if (drawn === 0) return;
    moveCursor(screen as NodeJS.WriteStream, 0, -drawn);
    clearScreenDown(screen as NodeJS.WriteStream);
    drawn = 0;
  };
  const draw = (): void => {
    // a line that wraps would make the count of rows to go back wrong
    const width = Math.max(10, (screen.columns ?? 80) - 1);
    const fitting = shown.slice(0, Math.max(1, (screen.rows ?? 24) - 1));
    for (const line of fitting) screen.write(`${fitTo(line, width).text}\n`);
    drawn = fitting.length;
  };
  return {
    say(line) {
      erase();
      screen.write(`${line.text}\n`);
      draw();
    },
    show(lines) {
      shown = lines;
      erase();
      draw();
    },
    end() {
      erase();
      shown = [];
    },
  };
}

/** Says lines plainly where there is no terminal. */
export function plainArea(say: (line: Safe) => void): LiveArea {
  return { say, show: () => {}, end: () => {} };
}
