/** The limits that every driver enforces, and how a request for others is bent to them. No network, no host files and an empty environment are not limits: they always hold. */
export interface SandboxLimits {
  /** Wall time, ms. */
  wallMs: number;
  /** Of all processes of a run together, bytes. */
  memoryBytes: number;
  /** Standard output and standard error together, bytes. */
  outputBytes: number;
  /** The only folder that can be written, bytes. */
  scratchBytes: number;
  /** Processes and threads. */
  processes: number;
  /** Processors. */
  cpus: number;
}

const MEBIBYTE = 1024 * 1024;

export const DEFAULT_LIMITS: SandboxLimits = {
  wallMs: 10_000,
  memoryBytes: 256 * MEBIBYTE,
  outputBytes: MEBIBYTE,
  scratchBytes: 16 * MEBIBYTE,
  processes: 32,
  cpus: 1,
};

/** Below these an interpreter does not start. */
const LEAST: SandboxLimits = {
  wallMs: 100,
  memoryBytes: 64 * MEBIBYTE,
  outputBytes: 1024,
  scratchBytes: 64 * 1024,
  processes: 16,
  cpus: 1,
};

/** Missing, NaN and infinite values become the most that is allowed; the rest is brought between the least and the most. */
export function clampLimits(requested: Partial<SandboxLimits> | undefined, most: SandboxLimits = DEFAULT_LIMITS): SandboxLimits {
  const clamped = { ...most };
  for (const name of Object.keys(most) as (keyof SandboxLimits)[]) {
    const value = requested?.[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) continue;
    clamped[name] = Math.round(Math.min(most[name], Math.max(LEAST[name], value)));
  }
  return clamped;
}
