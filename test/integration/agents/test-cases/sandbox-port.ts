import type { SandboxPort } from '../../../../src/contracts/sandbox.ts';
import { createSandbox, type DriverName } from '../../../../src/sandbox/index.ts';

/** The port that agents see, on a real driver. */
export function sandboxPort(driver: DriverName | 'auto'): SandboxPort {
  const sandbox = createSandbox({ driver });
  return { run: ({ wallMs, ...run }) => sandbox.runCode({ ...run, ...(wallMs === undefined ? {} : { limits: { wallMs } }) }) };
}
