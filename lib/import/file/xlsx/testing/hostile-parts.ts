import * as plain from './book'
import { type Make, megabytes } from './hostile-book'

const { book, PLAIN_ROWS, RELATIONS, SHEET, STYLES, TEXTS, WORKBOOK } = plain
const right = (parts: Parameters<typeof book>[0]) => ({ bytes: book(parts), rows: PLAIN_ROWS })
const cell = (inner: string) => book({ [SHEET]: plain.sheet({ rows: `<row>${inner}</row>` }) })

/** Parts around the rows that are large, many or false. */
export const HOSTILE_PARTS: Record<string, Make> = {
  'many sheets': (random) => {
    const count = 1 + random(4_000)
    const ids = Array.from({ length: count }, (_, at) => at + 2)
    const sheets = ids.map((n) => `<sheet name="S${n}" sheetId="${n}" r:id="x${n}"/>`).join('')
    const targets = ids.map((n) => plain.relation(`x${n}`, 'worksheet', `worksheets/sheet${n}.xml`))
    return right({
      ...Object.fromEntries(ids.map((n) => [`xl/worksheets/sheet${n}.xml`, plain.sheet()])),
      [WORKBOOK]: plain.workbook(plain.ONE_SHEET.replace('</sheets>', `${sheets}</sheets>`)),
      [RELATIONS]: plain.relations(plain.BOOK_RELATIONS + targets.join('')),
    })
  },
  'many sheets that are not there': (random) => {
    const sheets = '<sheet name="x" sheetId="9" r:id="no"/>'.repeat(random(400_000))
    const all = plain.ONE_SHEET.replace('<sheets>', `<sheets>${sheets}`)
    return right({ [WORKBOOK]: plain.workbook(all) })
  },
  'many relations': (random) => {
    const count = random(200_000)
    const more = plain.relation('rId1', 'worksheet', 'worksheets/sheet1.xml').repeat(count)
    return right({ [RELATIONS]: plain.relations(plain.BOOK_RELATIONS + more) })
  },
  'many names of a part': (random) => {
    const all = Array.from({ length: 10_001 + random(50_000) }, (_, at) =>
      plain.relation(`x${at}`, 'worksheet', 'worksheets/sheet1.xml'),
    )
    return {
      bytes: book({ [RELATIONS]: plain.relations(all.join('')) }),
      refused: /too many names/,
    }
  },
  'relations that lead out': (random) => {
    const target = ['../../../../etc/passwd', '/etc/passwd', 'http://127.0.0.1/', '.', ''][
      random(5)
    ]
    const own = plain.relations(plain.relation('rId1', 'worksheet', target as string))
    return { bytes: book({ [RELATIONS]: own }), refused: /first sheet is empty/ }
  },
  'a workbook that is its own sheet': () => ({
    bytes: book({
      [RELATIONS]: plain.relations(plain.relation('rId1', 'worksheet', 'workbook.xml')),
    }),
    refused: /first sheet is empty/,
  }),
  'many names in the workbook': (random) => {
    const names = megabytes('<definedName name="a">One!$A$1</definedName>', random(16))
    const all = plain.workbook(`${plain.ONE_SHEET}<definedNames>${names}</definedNames>`)
    return right({ [WORKBOOK]: all })
  },
  'many formats': (random) => {
    const count = 65_537 + random(1_000_000)
    const all = plain.styles(`<cellXfs>${'<xf/>'.repeat(count)}</cellXfs>`)
    return { bytes: book({ [STYLES]: all }), refused: /65,536 formats/ }
  },
  'long codes of formats': (random) => {
    const code = ['[', '"', '\\', '_', 'd['][random(5)]?.repeat(60_000)
    const one = `<numFmt numFmtId="164" formatCode='${code}'/>`
    return right({ [STYLES]: plain.styles(`<numFmts>${one.repeat(random(300))}</numFmts>`) })
  },
  'styles that are not there': (random) => {
    const style = ['99', '-1', '1e9', 'x', '1.5'][random(5)]
    return { bytes: cell(`<c s="${style}"><v>7</v></c>`), rows: [[7]] }
  },
  'dates far away': (random) => {
    const days = ['-1', '1e300', '99999999', '-1e9', '0'][random(5)]
    return { bytes: cell(`<c s="1"><v>${days}</v></c>`), rows: 1 }
  },
  'texts that are not there': (random) => {
    const index = ['4', '-1', '1e3', 'x', '0.5', '99999999999999999999'][random(6)]
    return { bytes: cell(`<c t="s"><v>${index}</v></c>`), refused: /not there/ }
  },
  'numbers that are none': (random) => {
    const text = ['NaN', '0x10', '1e999', '--1', '1 2', 'Infinity'][random(6)]
    return { bytes: cell(`<c><v>${text}</v></c>`), rows: 1 }
  },
  'unknown types': () => ({ bytes: cell('<c t="z"><v>1</v></c>'), refused: /unknown type/ }),
  'a cell twice': () => ({
    bytes: cell('<c r="A2"><v>1</v></c><c r="A2"><v>2</v></c>'),
    refused: /a cell twice/,
  }),
  'cells in another order': () => ({
    bytes: cell('<c r="B2"><v>2</v></c><c r="A2"><v>1</v></c>'),
    rows: [[1, 2]],
  }),
  'no shared texts': () => ({ bytes: book({ [TEXTS]: null }), refused: /not there/ }),
  'merged cells': (random) => {
    const after = `<mergeCells>${megabytes('<mergeCell ref="A1:XFD1048576"/>', random(16))}</mergeCells>`
    return right({ [SHEET]: plain.sheet({ after }) })
  },
  'rules and links': (random) => {
    const rule =
      '<conditionalFormatting sqref="A1:XFD1048576"><cfRule type="expression"><formula>1</formula></cfRule></conditionalFormatting>'
    return right({ [SHEET]: plain.sheet({ after: megabytes(rule, random(16)) }) })
  },
  'dimensions that lie': (random) => {
    const before = `<dimension ref="${['A1', 'A1:XFD1048576', 'x', ''][random(4)]}"/><cols><col min="1" max="16384" width="9"/></cols>`
    return right({ [SHEET]: plain.sheet({ before }) })
  },
  'rows that lie': (random) => {
    const number = ['0', '-5', '1048577', '1e20', 'x'][random(5)]
    return {
      bytes: book({ [SHEET]: plain.sheet({ rows: `<row r="${number}"><c><v>1</v></c></row>` }) }),
      rows: [[1]],
    }
  },
  'a drawing of zeros': (random) =>
    right({
      'xl/media/image1.png': Buffer.alloc(random(200) * 1024 * 1024),
      'xl/drawings/drawing1.xml': Buffer.alloc(random(50) * 1024 * 1024),
      'xl/worksheets/_rels/sheet1.xml.rels': megabytes('<a>', random(50)),
    }),
  'many drawings': (random) =>
    right(
      Object.fromEntries(
        Array.from({ length: random(4_900) }, (_, at) => [`xl/drawings/drawing${at}.xml`, '<a/>']),
      ),
    ),
  'content types of any kind': (random) =>
    right({
      '[Content_Types].xml': [null, '', '<x', megabytes('<Default/>', 30)][random(4)] ?? null,
    }),
}
