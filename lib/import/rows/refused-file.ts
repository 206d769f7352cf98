import { type FileHandle, open, rm } from 'node:fs/promises'
import type { ImportColumn } from '@/lib/db/schema'
import type { Entity, Property } from '@/lib/definitions/definition'
import { jsonWithoutFormulas, withFormulas, withoutFormulas } from '@/lib/export/csv-formula'
import { isJsonKind } from '@/lib/kinds/kind'
import { compileEntity } from '@/lib/rows/compiled-entity'
import { stringifyExactly } from '@/lib/values/json'
import { isNumericText } from '@/lib/values/numeric-text'
import { REASON_COLUMN } from '../columns/map-columns'
import { jsonOf } from '../columns/read-cell'
import { textsOf } from '../columns/record-maker'
import type { Source, SourceRow } from '../file/source'

const PART_BYTES = 1024 * 1024
/** More rows are not kept: who has to correct so many makes the file anew. */
const MAX_REFUSED_BYTES = 64 * 1024 * 1024

/** The refused rows as CSV with the reason in the last column, beside the import until it is over. */
export class RefusedFile {
  private lines: string[] = []
  private waiting = 0
  private position = 0
  private isFull = false
  bytes = 0
  rows = 0

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
    private readonly header: string,
  ) {}

  static async create(path: string, columns: readonly string[]): Promise<RefusedFile> {
    const header = csvLine([...columns.map(withoutFormulas), REASON_COLUMN])
    return new RefusedFile(await open(path, 'w+', 0o600), path, header)
  }

  async add(texts: readonly (string | null)[], width: number, reason: string): Promise<void> {
    if (this.isFull) return
    const cells = [...texts, ...Array<null>(Math.max(0, width - texts.length)).fill(null)]
    const begin = this.rows === 0 ? `\uFEFF${this.header}` : ''
    const line = `${begin}${csvLine([...cells, withoutFormulas(reason)])}`
    const bytes = Buffer.byteLength(line)
    if (this.bytes + bytes > MAX_REFUSED_BYTES) {
      this.isFull = true
      return
    }
    this.rows++
    this.bytes += bytes
    this.waiting += bytes
    this.lines.push(line)
    if (this.waiting >= PART_BYTES) await this.flush()
  }

  /** Its parts, in order. */
  async *parts(): AsyncGenerator<Buffer> {
    await this.flush()
    for (let from = 0; from < this.bytes; from += PART_BYTES) {
      const part = Buffer.alloc(Math.min(PART_BYTES, this.bytes - from))
      await this.file.read(part, 0, part.length, from)
      yield part
    }
  }

  /** Begins anew. */
  async clear(): Promise<void> {
    this.lines = []
    this.waiting = 0
    this.bytes = 0
    this.rows = 0
    this.isFull = false
    await this.file.truncate(0)
    this.position = 0
  }

  async remove(): Promise<void> {
    await this.file.close()
    await rm(this.path, { force: true })
  }

  private async flush(): Promise<void> {
    const text = this.lines.join('')
    this.lines = []
    this.waiting = 0
    if (text === '') return
    const bytes = Buffer.from(text)
    await this.file.write(bytes, 0, bytes.length, this.position)
    this.position += bytes.length
  }
}

const csvLine = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => (cell === null ? '' : quoted(cell))).join(',')}\r\n`

const quoted = (text: string): string =>
  text === '' || /[",\r\n;\t|]/.test(text) || text !== text.trim()
    ? `"${text.replaceAll('"', '""')}"`
    : text

/**
 * Returns a function that gives the cells of a row as cells of CSV: they are read as the same values, and a spreadsheet runs none of
 * them as a formula.
 */
export function harmlessTexts(
  entity: Entity,
  columns: readonly ImportColumn[],
  format: Source['format'],
): (row: SourceRow) => (string | null)[] {
  const { fields } = compileEntity(entity)
  const jsonColumns = columns.map(({ field }) => isJson(fields.get(field ?? '')?.property))
  const harmless = (text: string, at: number): string => {
    if (isNumericText(text)) return text
    const json = jsonColumns[at] ? jsonOf(text) : undefined
    if (json !== undefined) return jsonWithoutFormulas(stringifyExactly(json))
    return withoutFormulas(format === 'csv' ? withFormulas(text) : text)
  }
  return (row) => textsOf(row, columns).map((text, at) => text && harmless(text, at))
}

const isJson = (property: Property | undefined): boolean =>
  property !== undefined && isJsonKind(property.kind)
