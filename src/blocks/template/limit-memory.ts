const memorySection = 5;
const headerBytes = 8;
const pageBytes = 65_536;

/**
 * A WebAssembly program that may not take more memory than this, whatever it computes: the program as it comes has no limit of
 * its own, and nobody outside is asked when it wants more.
 */
export function limitMemory(program: Uint8Array, mostBytes: number): Uint8Array {
  for (let offset = headerBytes; offset < program.length; ) {
    const size = readNumber(program, offset + 1);
    const end = size.end + size.value;
    if (program[offset] === memorySection) {
      const section = limitSection(program.subarray(size.end, end), Math.floor(mostBytes / pageBytes));
      const head = Uint8Array.from([memorySection, ...writeNumber(section.length)]);
      return Buffer.concat([program.subarray(0, offset), head, section, program.subarray(end)]);
    }
    offset = end;
  }
  throw new Error("The program has no memory of its own.");
}

/** One memory with a minimum, as flags and number, gets a maximum. */
function limitSection(section: Uint8Array, mostPages: number): Uint8Array {
  const [count, flags] = section;
  if (count !== 1 || flags !== 0) throw new Error("The program's memory is not of the kind that is known.");
  return Uint8Array.from([1, 1, ...section.subarray(2), ...writeNumber(mostPages)]);
}

interface ReadNumber {
  readonly value: number;
  readonly end: number;
}

/** Seven bits a byte, the lowest first; the highest bit says that more follow. */
function readNumber(bytes: Uint8Array, start: number): ReadNumber {
  let value = 0;
  for (let offset = start; ; offset++) {
    const byte = bytes[offset] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (offset - start));
    if (byte < 0x80) return { value, end: offset + 1 };
  }
}

function writeNumber(number: number): number[] {
  const low = number % 0x80;
  return number < 0x80 ? [low] : [low + 0x80, ...writeNumber(Math.floor(number / 0x80))];
}
