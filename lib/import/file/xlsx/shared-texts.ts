import type { ZipEntry } from '@/lib/archives/read-zip-directory'
import { formatBytes } from '@/lib/values/format-bytes'
import { type BookParts, bookFault } from './book-parts'
import { readPart } from './scan-part'
import { bookText } from './xml-text'

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

/** More than any spreadsheet lets a cell hold, which is 32,767, or 50,000 at Google. */
export const MAX_CELL_CHARS = 256 * 1024

/** The text of a cell or of a shared text, out of its runs, without phonetic hints. */
export class RichText {
  private whole = ''
  private run = ''
  private isRun = false
  private isHint = false

  open(name: string): void {
    if (name === 'rPh') this.isHint = true
    else if (name === 't') this.isRun = !this.isHint
  }

  /** Throws `FileFault` for more than a cell may hold. */
  add(text: string): void {
    if (!this.isRun) return
    this.run += text
    if (this.whole.length + this.run.length > MAX_CELL_CHARS) throw bookFault(TOO_LONG)
  }

  close(name: string): void {
    if (name === 'rPh') this.isHint = false
    if (name !== 't') return
    this.whole += bookText(this.run)
    this.run = ''
    this.isRun = false
  }

  take(): string {
    const text = this.whole
    this.whole = ''
    return text
  }
}

export const TOO_LONG = `a cell holds more than ${MAX_CELL_CHARS.toLocaleString('en')} characters`
