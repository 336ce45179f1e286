/**
 * A program for the kernel that looks at every system call of a command which is to have no network. A namespace keeps such a
 * command from the network of the machine but not from sockets that have a path, nor from families that know no namespaces. So
 * sockets can be made of the families of the internet and of netlink only. Pairs of connected Unix sockets, which programs use
 * between their own processes, stay: of the kinds that can't be connected to anything else afterwards.
 */

/** The numbers of the calls that can make a socket, by the code the kernel has for the instruction set. */
interface CallTable {
  readonly audit: number;
  readonly socket: number;
  readonly socketpair: number;
  /** The call through which i386 had all others, its arguments out of sight. */
  readonly socketcall?: number;
  /** Numbers from here on are those of another instruction set, which nobody uses. */
  readonly foreignFrom?: number;
}

const ioUringSetup = 425;

const x64: CallTable = { audit: 0xc000003e, socket: 41, socketpair: 53, foreignFrom: 0x40000000 };
const ia32: CallTable = { audit: 0x40000003, socket: 359, socketpair: 360, socketcall: 102 };
const arm64: CallTable = { audit: 0xc00000b7, socket: 198, socketpair: 199 };
const arm: CallTable = { audit: 0x40000028, socket: 281, socketpair: 288 };
const riscv64: CallTable = { audit: 0xc00000f3, socket: 198, socketpair: 199 };
const loong64: CallTable = { audit: 0xc0000102, socket: 198, socketpair: 199 };

/** By what Node calls the processor: all instruction sets that programs on it can use. */
const tables: ReadonlyMap<string, readonly CallTable[]> = new Map([
  ["x64", [x64, ia32]],
  ["arm64", [arm64, arm]],
  ["riscv64", [riscv64]],
  ["loong64", [loong64]],
]);

const [ENOSYS, EAFNOSUPPORT] = [38, 97];
const families = { inet: 2, inet6: 10, netlink: 16 };
const kinds = { stream: 1, sequenced: 5 };
/** Flags such as close-on-exec are above it. */
const kindMask = 0xf;

const offsets = { call: 0, audit: 4, firstArgument: 16, secondArgument: 24 };

const allow = 0x7fff0000;
const fail = (error: number): number => 0x00050000 | error;
const killProcess = 0x80000000;

type Instruction = readonly [code: number, value: number, whenTrue?: Step, whenFalse?: Step];
/** A number of instructions to leave out, or the end with this name. */
type Step = number | "allowed" | "refusedFamily" | "missingCall" | "foreign";

const load = (offset: number): Instruction => [0x20, offset];
const ifEqual = (value: number, whenTrue: Step, whenFalse: Step): Instruction => [0x15, value, whenTrue, whenFalse];
const ifAtLeast = (value: number, whenTrue: Step, whenFalse: Step): Instruction => [0x35, value, whenTrue, whenFalse];
const keepBits = (mask: number): Instruction => [0x54, mask];

const ends: readonly (readonly [Step, number])[] = [
  ["allowed", allow],
  ["refusedFamily", fail(EAFNOSUPPORT)],
  ["missingCall", fail(ENOSYS)],
  ["foreign", killProcess],
];

/** As bubblewrap takes it: instructions of the classic Berkeley packet filter. Nothing for processors whose calls are not known. */
export function noSocketsFilter(architecture: string = process.arch): Uint8Array | undefined {
  const known = tables.get(architecture);
  if (known === undefined) return undefined;
  const body: Instruction[] = [];
  for (const table of known) {
    const checks = checksOf(table);
    body.push(load(offsets.audit), ifEqual(table.audit, 0, checks.length), ...checks);
  }
  return assemble([...body, ifEqual(0, "foreign", "foreign")]);
}

function checksOf({ socket, socketpair, socketcall, foreignFrom }: CallTable): Instruction[] {
  const family = [
    load(offsets.firstArgument),
    ...Object.values(families).map((value) => ifEqual(value, "allowed", 0)),
    ifEqual(0, "refusedFamily", "refusedFamily"),
  ];
  const pair = [
    load(offsets.secondArgument),
    keepBits(kindMask),
    ...Object.values(kinds).map((value) => ifEqual(value, "allowed", 0)),
    ifEqual(0, "refusedFamily", "refusedFamily"),
  ];
  return [
    load(offsets.call),
    ...(foreignFrom === undefined ? [] : [ifAtLeast(foreignFrom, "missingCall", 0)]),
    ifEqual(ioUringSetup, "missingCall", 0),
    ...(socketcall === undefined ? [] : [ifEqual(socketcall, "missingCall", 0)]),
    ifEqual(socket, 0, family.length),
    ...family,
    ifEqual(socketpair, 0, "allowed"),
    ...pair,
  ];
}

const instructionBytes = 8;

function assemble(body: readonly Instruction[]): Uint8Array {
  const all: Instruction[] = [...body, ...ends.map(([, value]): Instruction => [0x06, value])];
  const program = Buffer.alloc(all.length * instructionBytes);
  all.forEach(([code, value, whenTrue = 0, whenFalse = 0], index) => {
    const distance = (step: Step): number =>
      typeof step === "number" ? step : body.length + ends.findIndex(([name]) => name === step) - index - 1;
    const at = index * instructionBytes;
    program.writeUInt16LE(code, at);
    program.writeUInt8(distance(whenTrue), at + 2);
    program.writeUInt8(distance(whenFalse), at + 3);
    program.writeUInt32LE(value, at + 4);
  });
  return program;
}
