#!/usr/bin/env node
/** The `loopwright` command. Answers on stdout, everything else on stderr; exit code 1 for errors, 2 for wrong usage. */
import { enableCompileCache } from 'node:module';

// What was compiled once is taken from the cache (NODE_COMPILE_CACHE, else the temporary folder): a start takes half the time. It must be on before the first import.
enableCompileCache();
const { runCommand } = await import('./cli/run-command.ts');

// Whoever reads us may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await runCommand(process.argv.slice(2));
