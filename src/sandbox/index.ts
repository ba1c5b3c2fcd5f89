export { createSandbox, type DriverDescription, type Sandbox, type SandboxOptions } from './sandbox.ts';
export { DriverError } from './driver.ts';
export { clampLimits, DEFAULT_LIMITS, type SandboxLimits } from './limits.ts';
export { LANGUAGES, type DriverName, type Language, type Refusal, type RunAudit, type RunStatus, type SandboxResult, type SandboxRun, type ScreenFinding } from './run.ts';
export { screen } from './screen.ts';
