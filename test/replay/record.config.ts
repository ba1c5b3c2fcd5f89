/** `npm run record-histories`: plays every sample case and keeps its history. Not a test. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { pool: 'forks', include: ['test/replay/record.ts'], globalSetup: ['test/support/global-setup.ts'], testTimeout: 300_000, hookTimeout: 120_000 },
});
