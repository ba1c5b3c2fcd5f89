/** The system call filter as bytes for `bwrap --seccomp`: an array of `struct sock_filter {u16 code; u8 jt; u8 jf; u32 k}` (classic BPF). */
import { CLONE, CLONE3, DENIED, MMAP, NEWEST } from './syscalls.ts';

export const FILTERED_ARCHITECTURES = ['x64', 'arm64'] as const;
export type FilteredArchitecture = (typeof FILTERED_ARCHITECTURES)[number];

const AUDIT_ARCH: Record<FilteredArchitecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };

const LOAD = 0x20; // BPF_LD | BPF_W | BPF_ABS
const AND = 0x54; // BPF_ALU | BPF_AND | BPF_K
const IF_EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const IF_ABOVE = 0x25; // BPF_JMP | BPF_JGT | BPF_K
const RETURN = 0x06; // BPF_RET | BPF_K

const NUMBER = 0; // offsets in struct seccomp_data
const ARCHITECTURE = 4;
const argument = (index: number) => 16 + 8 * index; // low word: both architectures are little-endian

const ALLOW = 0x7fff0000;
const KILL_PROCESS = 0x80000000;
const failWith = (errno: number) => 0x00050000 | errno;
const EPERM = 1;
const ENOSYS = 38;

/** CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACE = 0x7e020080;
/** MAP_SHARED | MAP_ANONYMOUS: memory that outlives the process that made it and is counted to nobody. */
const SHARED_ANONYMOUS = 0x21;

type Instruction = [code: number, whenTrue: number, whenFalse: number, value: number];

export function seccompProgram(architecture: FilteredArchitecture): Buffer {
  const index = architecture === 'x64' ? 0 : 1;
  const deny = (number: number | null, errno: number): Instruction[] =>
    number === null
      ? []
      : [
          [IF_EQUAL, 0, 1, number],
          [RETURN, 0, 0, failWith(errno)],
        ];
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 1, 0, AUDIT_ARCH[architecture]],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER],
    // Also refuses the x32 numbers, which have bit 30 set.
    [IF_ABOVE, 0, 1, NEWEST],
    [RETURN, 0, 0, failWith(ENOSYS)],
    // Its flags are behind a pointer, which a filter can't follow; the C library then uses clone.
    ...deny(CLONE3[index], ENOSYS),
    ...Object.values(DENIED).flatMap((numbers) => deny(numbers[index], EPERM)),
    [IF_EQUAL, 0, 4, CLONE[index] ?? 0],
    [LOAD, 0, 0, argument(0)],
    [AND, 0, 0, NEW_NAMESPACE],
    [IF_EQUAL, 5, 0, 0],
    [RETURN, 0, 0, failWith(EPERM)],
    [IF_EQUAL, 0, 3, MMAP[index] ?? 0],
    [LOAD, 0, 0, argument(3)],
    [AND, 0, 0, SHARED_ANONYMOUS],
    [IF_EQUAL, 1, 0, SHARED_ANONYMOUS],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, failWith(EPERM)],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, whenTrue, whenFalse, value], position) => {
    bytes.writeUInt16LE(code, position * 8);
    bytes.writeUInt8(whenTrue, position * 8 + 2);
    bytes.writeUInt8(whenFalse, position * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, position * 8 + 4);
  });
  return bytes;
}
