/**
 * A WebAssembly module with a maximum for its own memory. A module that exports its memory says
 * itself how far it may grow, so the one section that says it is written anew; no other byte changes.
 */
const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;

type Number32 = { readonly value: number; readonly next: number };

/** LEB128, unsigned. */
function readNumber(bytes: Uint8Array, at: number): Number32 {
  let value = 0;
  let next = at;
  for (let shift = 0; shift < 35; shift += 7) {
    const byte = bytes[next] ?? 0;
    next += 1;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  return { value, next };
}

function writeNumber(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}

/** Throws where there is no memory of its own to bound: that module is not the one we know. */
export function capMemory(module: Uint8Array, mostPages: number): Uint8Array<ArrayBuffer> {
  let at = HEADER_BYTES;
  while (at < module.length) {
    const size = readNumber(module, at + 1);
    const end = size.next + size.value;
    if (module[at] === MEMORY_SECTION) {
      const section = memorySection(module.subarray(size.next, end), mostPages);
      return Uint8Array.from([...module.subarray(0, at), ...section, ...module.subarray(end)]);
    }
    at = end;
  }
  throw new Error("the module has no memory of its own");
}

function memorySection(body: Uint8Array, mostPages: number): readonly number[] {
  const count = readNumber(body, 0);
  const least = readNumber(body, count.next + 1);
  if (count.value !== 1) throw new Error("the module has more than one memory");
  const written = [1, HAS_MAXIMUM, ...writeNumber(least.value), ...writeNumber(mostPages)];
  return [MEMORY_SECTION, ...writeNumber(written.length), ...written];
}
