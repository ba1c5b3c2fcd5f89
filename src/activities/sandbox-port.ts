import type { SandboxPort } from '../contracts/sandbox.ts';
import type { Services } from './services.ts';

/** The sandbox as tools and evaluators see it; every run, refused ones too, has an audit row before its result is told. */
export function sandboxPort({ sandbox, store }: Services, taskId: string, callId: string | null): SandboxPort {
  return {
    async run({ wallMs, ...run }) {
      const result = await sandbox.runCode({ ...run, ...(wallMs === undefined ? {} : { limits: { wallMs } }) });
      const { codeHash, driver, limits, status, durationMs } = result;
      await store.sandboxRuns.record({ taskId, callId, codeHash, driver, language: run.language, limits: { ...limits }, status, durationMs: Math.round(durationMs) });
      return result;
    },
  };
}
