import type { ZipEntry } from '@/lib/plugins/read-zip-directory'
import { formatBytes } from '@/lib/values/format-bytes'
import { bookFault } from './book-fault'
import type { BookParts } from './book-parts'
import { RichText } from './rich-text'
import { readPart } from './scan-part'

/** They are in memory while the sheet is read. */
const MAX_HELD_BYTES = 40 * 1024 * 1024
/** Each has room for the longest text. */
const BLOCK_BYTES = 1024 * 1024
const BLOCK_POSITIONS = 64 * 1024
const LENGTH_BYTES = 4
/** Cells that share a longer text hold it once. */
const MAX_SHORT_CHARS = 256
const CHAR_BYTES = 2

/** The texts that the cells of a workbook share, short ones as UTF-8 behind their lengths. */
export class SharedTexts {
  private readonly long = new Map<number, string>()
  private longBytes = 0
  private readonly blocks: Buffer[] = []
  /** Of the texts in the blocks, as if these were one. */
  private readonly positions: Uint32Array[] = []
  private used = BLOCK_BYTES
  private count = 0

  /** Throws `FileFault` when there are too many. */
  add(text: string): void {
    if (text.length > MAX_SHORT_CHARS) {
      this.longBytes += text.length * CHAR_BYTES
      this.long.set(this.count, copyOf(text))
    }
    this.addShort(text.length > MAX_SHORT_CHARS ? '' : text)
    this.refuseTooMany()
  }

  private addShort(text: string): void {
    const bytes = LENGTH_BYTES + Buffer.byteLength(text)
    if (this.used + bytes > BLOCK_BYTES) {
      this.blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES))
      this.used = 0
    }
    if (this.count % BLOCK_POSITIONS === 0) this.positions.push(new Uint32Array(BLOCK_POSITIONS))
    const block = this.blocks.at(-1) as Buffer
    const position = (this.blocks.length - 1) * BLOCK_BYTES + this.used
    ;(this.positions.at(-1) as Uint32Array)[this.count++ % BLOCK_POSITIONS] = position
    block.writeUInt32LE(bytes - LENGTH_BYTES, this.used)
    block.write(text, this.used + LENGTH_BYTES)
    this.used += bytes
  }

  /** Undefined where there is no such text. */
  get(index: number): string | undefined {
    const long = this.long.get(index)
    if (long !== undefined || index >= this.count) return long
    const position = this.positions[Math.floor(index / BLOCK_POSITIONS)]?.[index % BLOCK_POSITIONS]
    if (position === undefined) return undefined
    const block = this.blocks[Math.floor(position / BLOCK_BYTES)] as Buffer
    const at = (position % BLOCK_BYTES) + LENGTH_BYTES
    return block.toString('utf8', at, at + block.readUInt32LE(at - LENGTH_BYTES))
  }

  private refuseTooMany(): void {
    const positions = this.positions.length * BLOCK_POSITIONS * Uint32Array.BYTES_PER_ELEMENT
    if (this.blocks.length * BLOCK_BYTES + positions + this.longBytes <= MAX_HELD_BYTES) return
    throw bookFault(`its texts take more than ${formatBytes(MAX_HELD_BYTES)}`, 'save it as CSV')
  }
}

/** The text alone: what was cut out of a longer text, or put together, keeps that in memory. */
const copyOf = (text: string): string => Buffer.from(text).toString()

/** Throws `FileFault`. */
export async function readSharedTexts(book: BookParts, entry: ZipEntry): Promise<SharedTexts> {
  const texts = new SharedTexts()
  const text = new RichText()
  await readPart(book, entry, {
    open: (name) => text.open(name),
    text: (part) => text.add(part),
    close(name) {
      text.close(name)
      if (name === 'si') texts.add(text.take())
    },
  })
  return texts
}
