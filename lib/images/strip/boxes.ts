import { damaged, slice, uint32 } from './damaged'

/** A box of ISO/IEC 14496-12: `bytes[start, end)`, its content from `content`. */
export type Box = { type: string; start: number; content: number; end: number }

/** Real files have dozens; a file made of empty ones would have a million. */
const MAX_BOXES = 10_000

/** The boxes that fill `bytes[start, end)`. */
export function readBoxes(bytes: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = []
  for (let at = start; at < end; ) {
    const box = readBox(bytes, at, end)
    if (boxes.push(box) > MAX_BOXES) throw damaged('it has too many boxes')
    at = box.end
  }
  return boxes
}

function readBox(bytes: Buffer, start: number, limit: number): Box {
  const type = slice(bytes, start + 4, start + 8).toString('latin1')
  const short = uint32(bytes, start)
  const content = start + (short === 1 ? 16 : 8)
  const length = short === 1 ? longLength(bytes, start + 8) : short
  const end = length === 0 ? limit : start + length
  if (end < content || end > limit) throw damaged('a box has a wrong length')
  return { type, start, content, end }
}

const longLength = (bytes: Buffer, at: number) => Number(slice(bytes, at, at + 8).readBigUInt64BE())

/** Turns a box in place into one that readers skip, of the same length, and clears its content. */
export function blankBox(bytes: Buffer, { start, content, end }: Box): void {
  bytes.write('free', start + 4, 'latin1')
  bytes.fill(0, content, end)
}
