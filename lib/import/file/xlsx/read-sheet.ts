import { posix } from 'node:path'
import type { ZipEntry } from '@/lib/archives/read-zip-directory'
import { type BookParts, bookFault, openParts } from './book-parts'
import { readDateFormats } from './date-formats'
import { readPart, scanPart } from './scan-part'
import { readSharedTexts } from './shared-texts'
import { type SheetRow, SheetRows } from './sheet-rows'
import { attributeOf, bookText } from './xml-text'

const BATCH_ROWS = 1_000
const BATCH_CHARS = 512 * 1024
/** Texts of a batch keep their pieces in memory. */
const BATCH_PIECES = 256

/**
 * The rows of one sheet that are not blank, in batches; by default of the first. None when there is no such sheet. `onBytes` gets the
 * number of its packed bytes read so far. Throws `FileFault`, and at the end of the current budget.
 */
export async function* readSheet(
  path: string,
  wanted: string | undefined,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<SheetRow[]> {
  const book = await openParts(path)
  const found = await findSheet(book, wanted)
  if (!found) return
  const context = {
    sharedTexts: found.sharedTexts && (await readSharedTexts(book, found.sharedTexts)),
    dateFormats: found.styles ? await readDateFormats(book, found.styles) : [],
    isFrom1904: found.isFrom1904,
  }
  const rows = new SheetRows(context, found.sheet.packedBytes)
  let pieces = 0
  for await (const _ of scanPart(book, found.sheet, rows, onBytes)) {
    pieces++
    if (rows.count < BATCH_ROWS && rows.chars < BATCH_CHARS && pieces < BATCH_PIECES) continue
    pieces = 0
    while (rows.count > 0) yield rows.take(BATCH_CHARS)
  }
  while (rows.count > 0) yield rows.take(BATCH_CHARS)
}

/** What is read of a workbook to read one of its sheets. */
type SheetParts = {
  sheet: ZipEntry
  sharedTexts: ZipEntry | null
  styles: ZipEntry | null
  /** Days are counted from 1904, not 1900. */
  isFrom1904: boolean
}

/** The parts of a sheet, by default of the first; null when there is none of that name. Throws `FileFault`. */
async function findSheet(book: BookParts, wanted: string | undefined): Promise<SheetParts | null> {
  const root = await readRelations(book, '')
  const [main] = root.filter(({ type }) => type === 'officeDocument')
  if (!main) throw bookFault('it names no workbook')
  if (main.part.path.endsWith('.bin')) throw bookFault('it is binary (XLSB)')
  const relations = await readRelations(book, main.part.path)
  const sheets = relations.filter(({ type }) => type === 'worksheet')
  const { id, isFrom1904 } = await readWorkbook(book, main.part, (name, id) =>
    sheets.some((sheet) => sheet.id === id && (wanted === undefined || wanted === name)),
  )
  const sheet = sheets.find((one) => one.id === id)
  const partOf = (wanted: Kind) => relations.find(({ type }) => type === wanted)?.part ?? null
  if (!sheet) return null
  return {
    ...{ sheet: sheet.part, isFrom1904 },
    ...{ sharedTexts: partOf('sharedStrings'), styles: partOf('styles') },
  }
}

type Relation = { id: string; type: Kind; part: ZipEntry }

const MAX_ID_CHARS = 255
const MAX_RELATIONS = 10_000
const KINDS = ['officeDocument', 'worksheet', 'sharedStrings', 'styles'] as const
type Kind = (typeof KINDS)[number] | 'other'

/** The relations of a part, or of the whole package, to other parts that are there. */
async function readRelations(book: BookParts, source: string): Promise<Relation[]> {
  const { dir, base } = posix.parse(source)
  const entry = book.parts.get(posix.join(dir, '_rels', `${base}.rels`).toLowerCase())
  const found = new Map<string, Relation>()
  const open = (name: string, attributes: string) => {
    if (name !== 'Relationship') return
    const id = attributeOf(attributes, 'Id') ?? ''
    const type = attributeOf(attributes, 'Type') ?? ''
    const target = posix.resolve(`/${dir}`, attributeOf(attributes, 'Target') ?? '')
    const part = book.parts.get(target.slice(1).toLowerCase())
    if (!part || id.length > MAX_ID_CHARS) return
    found.set(id, { id, type: kindOf(type), part })
    if (found.size > MAX_RELATIONS) throw bookFault('its parts have too many names')
  }
  if (entry) await readPart(book, entry, { open, text() {}, close() {} })
  return [...found.values()]
}

/** The types are addresses that end so, in both editions of the standard. */
const kindOf = (type: string): Kind => KINDS.find((kind) => type.endsWith(`/${kind}`)) ?? 'other'

/** The id of the first sheet that is wanted. */
async function readWorkbook(
  book: BookParts,
  part: ZipEntry,
  isWanted: (name: string, id: string) => boolean,
) {
  let found: string | undefined
  let isFrom1904 = false
  const open = (name: string, attributes: string) => {
    if (name === 'workbookPr')
      isFrom1904 = ['1', 'true'].includes(attributeOf(attributes, 'date1904') ?? '')
    if (name !== 'sheet' || found !== undefined) return
    const id = attributeOf(attributes, 'id') ?? ''
    if (isWanted(bookText(attributeOf(attributes, 'name') ?? ''), id)) found = id
  }
  await readPart(book, part, { open, text() {}, close() {} })
  return { id: found, isFrom1904 }
}
