import picocolors from 'picocolors';
import { visible } from './visible.ts';

/**
 * Text that may go to a terminal. Whatever is put into it was made visible first, so that a model, a tool or a user can't steer the
 * terminal; only our own colours are in it. `Output.print` takes nothing else.
 */
export class Safe {
  readonly text: string;
  private constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
  /** For this folder alone: `text` must have passed `visible`. */
  static fromVisible(text: string): Safe {
    return new Safe(text);
  }
}

export type Part = string | number | boolean | null | undefined | Safe;

/** safe`task ${taskId}`: what is interpolated is made visible, unless it is Safe already. */
export function safe(literals: TemplateStringsArray, ...parts: Part[]): Safe {
  return Safe.fromVisible(literals.map((literal, index) => literal + (index < parts.length ? textOf(parts[index]) : '')).join(''));
}

export function join(parts: Part[], separator: string): Safe {
  return Safe.fromVisible(
    parts
      .filter((part) => part !== null && part !== undefined && textOf(part) !== '')
      .map(textOf)
      .join(separator),
  );
}

/** The lines of a text, each safe by itself. */
export function lines(text: string, indent = ''): Safe[] {
  return text.split(/\r\n?|\n/).map((line) => Safe.fromVisible(indent + visible(line)));
}

function textOf(part: Part): string {
  if (part === null || part === undefined) return '';
  return part instanceof Safe ? part.text : visible(String(part));
}

export type Paint = Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'magenta', (part: Part) => Safe>;

export function createPaint(colour: boolean): Paint {
  const colors = picocolors.createColors(colour);
  const by =
    (style: (text: string) => string) =>
    (part: Part): Safe => {
      const text = textOf(part);
      return Safe.fromVisible(text === '' ? '' : style(text));
    };
  return {
    bold: by(colors.bold),
    dim: by(colors.dim),
    red: by(colors.red),
    green: by(colors.green),
    yellow: by(colors.yellow),
    cyan: by(colors.cyan),
    magenta: by(colors.magenta),
  };
}
