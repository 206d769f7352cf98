import { slice } from './damaged'

/**
 * Collects what stays of a file, in order. Neighbouring pieces become one: a file may consist of a
 * million, and each would be an object and a write.
 */
export function partsOf(bytes: Buffer) {
  const parts: Buffer[] = []
  let start = 0
  let end = 0
  const flush = () => {
    if (end > start) parts.push(bytes.subarray(start, end))
    start = end = 0
  }
  return {
    /** Keeps `bytes[from, to)`; throws when the file ends before. */
    keep(from: number, to: number): void {
      slice(bytes, from, to)
      if (from !== end) {
        flush()
        start = from
      }
      end = to
    },
    /** Puts in bytes of our own. */
    add(piece: Buffer): void {
      flush()
      parts.push(piece)
    },
    all(): Buffer[] {
      flush()
      return parts
    },
  }
}
