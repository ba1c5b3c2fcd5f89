import type { Program } from '../../driver.ts';

/** `fs` for `import`: the same two names that `require('fs')` has. */
const FILE_SYSTEM = "const fs = require('fs'); export const readFileSync = fs.readFileSync; export default fs;";

/** The source of a module that the program may import: its own files. Throws for every other name; there is no `std` and no `os`. */
export function findModule(name: string, program: Program): string {
  if (name === 'fs' || name === 'node:fs') return FILE_SYSTEM;
  const file = name.replace(/^\.\//, '');
  if (Object.hasOwn(program.files, file)) return program.files[file] ?? '';
  throw new Error(`There is no module ${JSON.stringify(name)}: only the run's own files can be imported.`);
}
