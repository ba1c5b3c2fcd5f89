/** A PostgreSQL cluster that is made once for the whole run and copied: making one takes ten times as long. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { chooseAccount } from '../../src/store/embedded/account.ts';
import { findBinaries } from '../../src/store/embedded/binaries.ts';
import { dataFolder, initialise } from '../../src/store/embedded/cluster.ts';

/** Leaves in a data folder what a first start of the embedded server leaves there, without a start. */
export async function makeCluster(dataDirectory: string): Promise<void> {
  await mkdir(dataDirectory);
  const binaries = await findBinaries();
  const account = chooseAccount([dataDirectory, dirname(binaries.postgres)], () => {});
  await initialise(dataFolder(dataDirectory), binaries, account, false, () => {});
}

/** Copies a cluster that never ran, with owners and modes, into a data folder; it is made if absent. @param from default: that of the run */
export async function copyCluster(dataDirectory: string, from: string = inject('cluster')): Promise<void> {
  await mkdir(dataDirectory, { recursive: true });
  await promisify(execFile)('cp', ['-a', join(from, 'cluster'), join(from, 'password'), dataDirectory]);
}
