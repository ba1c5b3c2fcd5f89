import { describe, expect, it } from 'vitest';
import { seccompProgram, type FilteredArchitecture } from '../../../src/sandbox/drivers/bubblewrap/seccomp.ts';
import { CLONE, CLONE3, DENIED, MMAP } from '../../../src/sandbox/drivers/bubblewrap/syscalls.ts';

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 };
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const errno = (number: number) => 0x50000 | number;

/** Runs the filter as the kernel would: classic BPF with the five instructions that it uses. */
function decide(program: Buffer, call: { architecture: number; number: number; first?: number; fourth?: number }): number {
  const data: Record<number, number> = { 0: call.number, 4: call.architecture, 16: call.first ?? 0, 40: call.fourth ?? 0 };
  let accumulator = 0;
  for (let position = 0; position < program.length / 8; position += 1) {
    const [code, whenTrue, whenFalse, value] = [
      program.readUInt16LE(position * 8),
      program.readUInt8(position * 8 + 2),
      program.readUInt8(position * 8 + 3),
      program.readUInt32LE(position * 8 + 4),
    ];
    if (code === 0x20) accumulator = data[value] ?? 0;
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0;
    else if (code === 0x15) position += accumulator === value ? whenTrue : whenFalse;
    else if (code === 0x25) position += accumulator > value ? whenTrue : whenFalse;
    else if (code === 0x06) return value;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error('the program has no end');
}

describe.each(['x64', 'arm64'] as const)('system call filter for %s', (architecture: FilteredArchitecture) => {
  const index = architecture === 'x64' ? 0 : 1;
  const program = seccompProgram(architecture);
  const on = (number: number, more: { first?: number; fourth?: number } = {}) => decide(program, { architecture: AUDIT[architecture], number, ...more });

  it('refuses every call of the list and clone3', () => {
    for (const [name, numbers] of Object.entries(DENIED)) {
      const number = numbers[index];
      if (number !== null) expect(on(number), name).toBe(errno(1));
    }
    expect(on(CLONE3[index] ?? -1)).toBe(errno(38));
  });

  it('allows everything else that is known, and nothing newer', () => {
    const denied = new Set([...Object.values(DENIED), CLONE3].map((numbers) => numbers[index]));
    for (let number = 0; number <= 452; number += 1) if (!denied.has(number)) expect(on(number), String(number)).toBe(ALLOW);
    for (const number of [453, 470, 1_000, 0x40000000 | 41, 0xffffffff]) expect(on(number)).toBe(errno(38));
  });

  it('allows threads and children, and no new namespace', () => {
    const clone = CLONE[index] ?? -1;
    expect(on(clone, { first: 0x3d0f00 })).toBe(ALLOW); // a thread, as the C library makes it
    expect(on(clone, { first: 0x01200011 })).toBe(ALLOW); // fork
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]) expect(on(clone, { first: flag | 17 })).toBe(errno(1));
  });

  it('allows private memory, and none that is shared without a file', () => {
    const mmap = MMAP[index] ?? -1;
    expect(on(mmap, { fourth: 0x22 })).toBe(ALLOW);
    expect(on(mmap, { fourth: 0x01 })).toBe(ALLOW);
    expect(on(mmap, { fourth: 0x21 })).toBe(errno(1));
    expect(on(mmap, { fourth: 0x23 })).toBe(errno(1));
  });

  it("ends a program that calls in another architecture's numbers", () => {
    expect(decide(program, { architecture: 0x40000003, number: 11 })).toBe(KILL);
  });
});
