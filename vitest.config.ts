import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

// Tests start the command line dozens of times: what Node compiled once is taken from here, which halves a start.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/compile', import.meta.url));

// Two cores are busy to the brim in CI, where a wait may end late once; the report names what was tried twice, and that is to be mended.
const retry = process.env['CI'] ? 1 : 0;

/** `unit` needs no server and starts at once; `integration` has a Temporal server and a Postgres, started once for the whole run. */
export default defineConfig({
  test: {
    pool: 'forks',
    // Much of a run is waiting: on two cores four workers are faster than three.
    maxWorkers: 4,
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          // Pure functions: one process may run many files, which saves its start for each.
          isolate: false,
          testTimeout: 20_000,
          retry,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/**/*.test.ts'],
          exclude: ['test/unit/**', 'test/fixtures/**', '**/node_modules/**'],
          globalSetup: ['test/support/global-setup.ts'],
          // Importing the SDKs anew takes over a second of processor time a file. What a file changes in its process, it puts back.
          isolate: false,
          testTimeout: 60_000,
          retry,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
