import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Program } from '../../driver.ts';
import { MAIN_FILE } from '../../program-files.ts';

/** Readable by the container's user, who is nobody on this machine. Names were checked before (`inputProblem`). */
export async function writeInput(folder: string, program: Program): Promise<void> {
  await chmod(folder, 0o755);
  for (const [name, text] of [[MAIN_FILE[program.language], program.code] as const, ...Object.entries(program.files)]) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await writeFile(path, text, { mode: 0o644 });
  }
}
