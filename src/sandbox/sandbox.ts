import { createHash } from 'node:crypto';
import type { Driver } from './driver.ts';
import { bubblewrapDriver } from './drivers/bubblewrap.ts';
import { dockerDriver } from './drivers/docker.ts';
import { quickjsDriver } from './drivers/quickjs.ts';
import { clampLimits, DEFAULT_LIMITS, type SandboxLimits } from './limits.ts';
import { inputProblem } from './program-files.ts';
import { LANGUAGES, type DriverName, type Language, type Refusal, type RunAudit, type SandboxResult, type SandboxRun, type ScreenFinding } from './run.ts';
import { screen } from './screen.ts';

export interface SandboxOptions {
  /** `auto`: the first that works here for the language, in the order bubblewrap, quickjs, docker. A name: that one or a refusal. */
  driver?: DriverName | 'auto';
  /** The most that a run may ask for; `DEFAULT_LIMITS` where a field is missing. */
  limits?: Partial<SandboxLimits>;
  /** Called once for every run, refused ones too. An error of it fails the run: what is not audited is not told. */
  audit?: (entry: RunAudit) => void | Promise<void>;
}

/** Whether a driver runs a language here; for people. */
export interface DriverDescription {
  driver: DriverName;
  language: Language;
  works: boolean;
  /** True for the one that a run would use. */
  chosen: boolean;
  /** Versions and paths, or why it does not work. */
  detail: string;
  /** Commands of which one makes it work; empty when it works or can't. */
  install: string[];
}

export interface Sandbox {
  /** Screens the code, then runs it in a driver, never outside one. Whatever the code does is a result; throws `DriverError` when the sandbox itself failed. */
  runCode(run: SandboxRun): Promise<SandboxResult>;
  describeDrivers(): Promise<DriverDescription[]>;
}

export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const most = { ...DEFAULT_LIMITS, ...options.limits };
  const all: Driver[] = [bubblewrapDriver(), quickjsDriver(), dockerDriver()];
  const wanted = options.driver ?? 'auto';
  const drivers = wanted === 'auto' ? all : all.filter(({ name }) => name === wanted);

  return {
    async runCode(run) {
      const limits = clampLimits(run.limits, most);
      const result = await decide(run, limits, drivers);
      const { codeHash, driver, status, durationMs } = result;
      await options.audit?.({ codeHash, driver, language: run.language, limits, status, durationMs });
      return result;
    },
    describeDrivers: () => describe(all, drivers),
  };
}

/** When the one driver that is allowed can never run the language. */
const ANY_DRIVER = ['apt-get install -y bubblewrap'];

async function decide(run: SandboxRun, limits: SandboxLimits, drivers: Driver[]): Promise<SandboxResult> {
  const codeHash = createHash('sha256').update(run.code).digest('hex');
  const refused = (refusal: Refusal, findings?: ScreenFinding[]): SandboxResult => ({
    status: 'refused',
    stdout: '',
    stderr: '',
    exitCode: null,
    durationMs: 0,
    driver: null,
    codeHash,
    limits,
    refusal,
    ...(findings ? { screen: findings } : {}),
  });
  const problem = inputProblem(run);
  if (problem !== null) return refused({ code: 'invalid_input', message: problem, install: [] });
  const findings = screen(run);
  if (findings.length > 0)
    return refused({ code: 'screen', message: `The code was not run: ${findings.map(({ type, line }) => `${type} in line ${line}`).join(', ')}.`, install: [] }, findings);
  const found = await chooseDriver(drivers, run.language);
  if (found.driver === null) return refused(found.refusal);
  const program = { language: run.language, code: run.code, stdin: run.stdin ?? null, files: run.files ?? {} };
  if (run.signal?.aborted) return { status: 'killed', stdout: '', stderr: '', exitCode: null, durationMs: 0, driver: found.driver.name, codeHash, limits };
  return { ...(await found.driver.run(program, limits, run.signal)), driver: found.driver.name, codeHash, limits };
}

/** The first driver that works, or a refusal that says why none does and how to install one. */
async function chooseDriver(drivers: Driver[], language: Language): Promise<{ driver: Driver } | { driver: null; refusal: Refusal }> {
  const reasons: string[] = [];
  const install: string[] = [];
  for (const driver of drivers) {
    const availability = await driver.check(language);
    if (availability.works) return { driver };
    reasons.push(`${driver.name}: ${availability.reason}`);
    install.push(...availability.install);
  }
  const message = `Nothing that is allowed here can run ${language} safely, so it was not run. ${reasons.join('; ')}.`;
  return { driver: null, refusal: { code: 'no_driver', message, install: install.length > 0 ? [...new Set(install)] : ANY_DRIVER } };
}

async function describe(all: Driver[], allowed: Driver[]): Promise<DriverDescription[]> {
  const descriptions: DriverDescription[] = [];
  for (const language of LANGUAGES) {
    let open = true;
    for (const driver of all.filter(({ languages }) => languages.includes(language))) {
      const availability = await driver.check(language);
      const chosen = open && availability.works && allowed.includes(driver);
      if (chosen) open = false;
      descriptions.push({
        driver: driver.name,
        language,
        works: availability.works,
        chosen,
        detail: availability.works ? availability.detail : availability.reason,
        install: availability.works ? [] : availability.install,
      });
    }
  }
  return descriptions;
}
