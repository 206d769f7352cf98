import { zip } from '@/lib/testing/zip'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

export type Members = Parameters<typeof zip>[0]

/** The parts of a workbook that differ from those of a plain one; null leaves one out. */
export type Parts = Record<string, string | Uint8Array | null>

export const SHEET = 'xl/worksheets/sheet1.xml'
export const TEXTS = 'xl/sharedStrings.xml'
export const STYLES = 'xl/styles.xml'
export const WORKBOOK = 'xl/workbook.xml'
export const RELATIONS = 'xl/_rels/workbook.xml.rels'

/** What the plain sheet holds below its names. */
export const PLAIN_ROWS = [
  ['Ann', 1],
  ['Bob', 2],
]

export const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`

export const relations = (inner: string) =>
  `<Relationships xmlns="${PACKAGE}">${inner}</Relationships>`

export const BOOK_RELATIONS = [
  relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
  relation('rId2', 'sharedStrings', 'sharedStrings.xml'),
  relation('rId3', 'styles', 'styles.xml'),
].join('')

export const workbook = (inner: string) =>
  `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${inner}</workbook>`

export const ONE_SHEET = '<sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets>'

export const NAMES = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'

const ROWS =
  '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>1</v></c></row><row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3"><v>2</v></c></row>'

/** A sheet with what stands before its rows, rows below the names, and what stands after them. */
export const sheet = ({ before = '', rows = ROWS, after = '' } = {}) =>
  `<worksheet xmlns="${MAIN}">${before}<sheetData>${NAMES}${rows}</sheetData>${after}</worksheet>`

export const texts = (inner: string) => `<sst xmlns="${MAIN}">${inner}</sst>`

export const PLAIN_TEXTS = ['name', 'size', 'Ann', 'Bob']
  .map((text) => `<si><t>${text}</t></si>`)
  .join('')

export const styles = (inner: string) => `<styleSheet xmlns="${MAIN}">${inner}</styleSheet>`

export const PLAIN_STYLES =
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>'

const PLAIN: Parts = {
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels': relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')),
  [WORKBOOK]: workbook(ONE_SHEET),
  [RELATIONS]: relations(BOOK_RELATIONS),
  [STYLES]: styles(PLAIN_STYLES),
  [TEXTS]: texts(PLAIN_TEXTS),
  [SHEET]: sheet(),
}

/** The members of a workbook, for `zip`. */
export const bookMembers = (parts: Parts = {}): Members =>
  Object.entries({ ...PLAIN, ...parts }).flatMap(([name, content]) =>
    content === null ? [] : [{ name, content }],
  )

export const book = (parts: Parts = {}): Uint8Array => zip(bookMembers(parts))
