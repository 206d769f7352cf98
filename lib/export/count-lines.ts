import type { CopyFormat } from '@/lib/db/copy-out'

const QUOTE = 0x22
const LINE_FEED = 0x0a

/** The number of records in a chunk of whole lines. In CSV, line breaks inside quotes end none. */
export function countLines(chunk: Uint8Array, format: CopyFormat): number {
  const isQuoting = format === 'csv'
  let count = 0
  let isInside = false
  for (const byte of chunk) {
    if (isQuoting && byte === QUOTE) isInside = !isInside
    else if (byte === LINE_FEED && !isInside) count++
  }
  return count
}
