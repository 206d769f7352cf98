/**
 * Makes running statements of PGlite stoppable from another thread. PostgreSQL regularly checks
 * two flags in its memory and ends the statement with SQLSTATE 57014 when they are set; elsewhere a
 * signal sets them. WebAssembly has no signals, but memory can be shared between threads if its
 * modules ask for that.
 *
 * Call it before PGlite is imported, in a thread of its own: it replaces functions of `WebAssembly`
 * there. Returns a function that finds the flags once a database is open, or null when this build of
 * PGlite does not export them.
 */
export function shareMemory() {
  const { Memory, Module, instantiate } = WebAssembly
  let found = null
  WebAssembly.Memory = new Proxy(Memory, {
    construct: (target, [descriptor]) => new target({ ...descriptor, shared: true }),
  })
  WebAssembly.Module = new Proxy(Module, {
    construct: (target, [bytes]) => new target(importSharedMemory(bytes)),
  })
  WebAssembly.instantiate = async (source, imports) => {
    const isModule = source instanceof Module
    const result = await instantiate(isModule ? source : importSharedMemory(source), imports)
    const { exports } = isModule ? result : result.instance
    // PGlite creates a new folder with separate instances; the database is the last one.
    if (exports.InterruptPending && exports.QueryCancelPending)
      found = {
        buffer: imports.env.memory.buffer,
        interruptPending: exports.InterruptPending.value,
        queryCancelPending: exports.QueryCancelPending.value,
      }
    return result
  }
  return () => found
}

const IMPORT_SECTION = 2
const FUNCTION = 0
const TABLE = 1
const MEMORY = 2
const GLOBAL = 3
const HAS_MAXIMUM = 1
const SHARED_WITH_MAXIMUM = 3
/** In pages of 64 KiB: what 32 bits can address. */
const MAX_PAGES = 65_536

/**
 * Converts a WebAssembly module so that it imports its memory as shared (core specification,
 * 5.5.5). Returns a module that imports no memory unchanged.
 */
export function importSharedMemory(source) {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)
  const section = findSection(bytes, IMPORT_SECTION)
  const flagsAt = section && findMemoryFlags(bytes, section.start)
  if (!flagsAt) return source
  if (bytes[flagsAt] === HAS_MAXIMUM) {
    const patched = bytes.slice()
    patched[flagsAt] = SHARED_WITH_MAXIMUM
    return patched
  }
  // Shared memory must have a maximum, so the section grows.
  const afterMinimum = readNumber(bytes, flagsAt + 1).end
  const content = join(
    bytes.subarray(section.start, flagsAt),
    [SHARED_WITH_MAXIMUM],
    bytes.subarray(flagsAt + 1, afterMinimum),
    writeNumber(MAX_PAGES),
    bytes.subarray(afterMinimum, section.end),
  )
  const header = [IMPORT_SECTION, ...writeNumber(content.length)]
  return join(bytes.subarray(0, section.at), header, content, bytes.subarray(section.end))
}

function findSection(bytes, wanted) {
  for (let at = 8; at < bytes.length; ) {
    const length = readNumber(bytes, at + 1)
    const end = length.end + length.value
    if (bytes[at] === wanted) return { at, start: length.end, end }
    at = end
  }
  return null
}

/** Where the limits of the first imported memory begin, or null. */
function findMemoryFlags(bytes, start) {
  const count = readNumber(bytes, start)
  let at = count.end
  for (let left = count.value; left > 0; left--) {
    at = skipName(bytes, skipName(bytes, at))
    const kind = bytes[at++]
    if (kind === MEMORY) return at
    at = skipDescription(bytes, at, kind)
  }
  return null
}

function skipName(bytes, at) {
  const length = readNumber(bytes, at)
  return length.end + length.value
}

function skipDescription(bytes, at, kind) {
  if (kind === FUNCTION) return readNumber(bytes, at).end
  if (kind === GLOBAL) return at + 2
  if (kind !== TABLE) return readNumber(bytes, at + 1).end // a tag
  const minimum = readNumber(bytes, at + 2)
  return bytes[at + 1] === HAS_MAXIMUM ? readNumber(bytes, minimum.end).end : minimum.end
}

/** LEB128, as all numbers of the format. */
function readNumber(bytes, at) {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++]
    value += (byte & 0x7f) * 2 ** shift
    if (!(byte & 0x80)) return { value, end: at }
  }
}

function writeNumber(value) {
  const low = value & 0x7f
  const rest = value >>> 7
  return rest === 0 ? [low] : [low | 0x80, ...writeNumber(rest)]
}

function join(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
