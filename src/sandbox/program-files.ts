import type { SandboxRun } from './run.ts';

/** The program itself, by language. */
export const MAIN_FILE = { python: 'main.py', javascript: 'main.js' } as const;

/** Code, files and standard input together, bytes. */
const MAX_INPUT_BYTES = 4 * 1024 * 1024;
const MAX_FILES = 50;
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

/** What is wrong with the run's inputs, as a sentence; null when nothing is. A name that passes can't leave the scratch folder. */
export function inputProblem(run: SandboxRun): string | null {
  const files = Object.entries(run.files ?? {});
  if (files.length > MAX_FILES) return `${files.length} files are given; at most ${MAX_FILES} are allowed.`;
  for (const [name] of files) {
    if (!name.split('/').every((segment) => SEGMENT.test(segment))) {
      return `The file name ${JSON.stringify(name)} is not allowed: use letters, digits, "_", "-" and ".", with "/" between folders.`;
    }
    if (name === MAIN_FILE[run.language]) return `The file name "${name}" is the program's own.`;
    const above = files.find(([other]) => name.startsWith(`${other}/`));
    if (above) return `"${above[0]}" is given as a file and as the folder of "${name}".`;
  }
  if (run.code.includes('\0')) return 'The code holds a NUL character.';
  const bytes = [run.code, run.stdin ?? '', ...files.map(([, text]) => text)].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MAX_INPUT_BYTES) return `Code, files and standard input have ${bytes} bytes; at most ${MAX_INPUT_BYTES} are allowed.`;
  return null;
}
