import { describe, expect, it } from 'vitest';
import { containerArguments, IMAGES } from '../../../src/sandbox/drivers/docker/arguments.ts';
import { readDockerInfo } from '../../../src/sandbox/drivers/docker/info.ts';
import { DEFAULT_LIMITS } from '../../../src/sandbox/limits.ts';

const build = (change: { gvisor?: boolean; stdin?: string | null; language?: 'python' | 'javascript' } = {}) =>
  containerArguments({
    name: 'run-1',
    folder: '/tmp/input',
    limits: DEFAULT_LIMITS,
    gvisor: change.gvisor ?? false,
    program: { language: change.language ?? 'python', code: '', stdin: change.stdin ?? null, files: {} },
  });
const value = (parameters: string[], option: string) => parameters[parameters.indexOf(option) + 1];

describe('docker arguments', () => {
  it('leave no network, no rights and nothing to write but scratch', () => {
    const parameters = build();
    expect(value(parameters, '--network')).toBe('none');
    expect(value(parameters, '--memory')).toBe('268435456b');
    expect(value(parameters, '--memory-swap')).toBe('268435456b');
    expect(value(parameters, '--cpus')).toBe('1');
    expect(value(parameters, '--cap-drop')).toBe('ALL');
    expect(value(parameters, '--security-opt')).toBe('no-new-privileges');
    expect(value(parameters, '--user')).toBe('65534:65534');
    expect(value(parameters, '--pids-limit')).toBe('32');
    expect(value(parameters, '--pull')).toBe('never');
    expect(value(parameters, '--mount')).toBe('type=bind,source=/tmp/input,target=/input,readonly');
    expect(value(parameters, '--tmpfs')).toContain(`size=${DEFAULT_LIMITS.scratchBytes}`);
    expect(parameters).toContain('--read-only');
    for (const option of ['--privileged', '--volume', '-v', '--env', '-e', '--publish', '--device', '--pid']) expect(parameters).not.toContain(option);
  });

  it('run under gVisor where it is there', () => {
    expect(build()).not.toContain('--runtime');
    expect(value(build({ gvisor: true }), '--runtime')).toBe('runsc');
  });

  it('open standard input only when there is some', () => {
    expect(build()).not.toContain('--interactive');
    expect(build({ stdin: '' })).toContain('--interactive');
  });

  it.each(['python', 'javascript'] as const)("start %s without the image's environment", (language) => {
    const parameters = build({ language });
    const image = parameters.indexOf(IMAGES[language]);
    expect(parameters.slice(image - 2, image)).toEqual(['--entrypoint', '/bin/sh']);
    expect(parameters[image + 2]).toContain('env -i');
    expect(parameters.at(-1)).toBe(language === 'python' ? 'main.py' : 'main.js');
  });
});

describe('docker info', () => {
  it('tells a daemon from a client that found none', () => {
    expect(readDockerInfo('{"ServerVersion":"28.2.2","Runtimes":{"runc":{},"runsc":{"path":"runsc"}}}')).toEqual({ version: '28.2.2', gvisor: true });
    expect(readDockerInfo('{"ServerVersion":"28.2.2","Runtimes":{"runc":{}}}')).toEqual({ version: '28.2.2', gvisor: false });
    expect(readDockerInfo('{"ServerVersion":"27.0.0"}')).toEqual({ version: '27.0.0', gvisor: false });
    expect(readDockerInfo('{"ServerErrors":["Cannot connect"],"ClientInfo":{}}')).toBeNull();
    expect(readDockerInfo('')).toBeNull();
    expect(readDockerInfo('null')).toBeNull();
  });
});
