import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { xlsxFile } from '../open-file'
import { firstRows } from '../source'
import {
  BOOK_RELATIONS,
  book,
  NAMES,
  ONE_SHEET,
  type Parts,
  PLAIN_STYLES,
  PLAIN_TEXTS,
  RELATIONS,
  relations,
  SHEET,
  STYLES,
  sheet,
  styles,
  TEXTS,
  texts,
  WORKBOOK,
  workbook,
} from './testing/book'

const folder = mkdtempSync(join(tmpdir(), 'engine-books-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function read(parts: Parts, wanted?: string) {
  const path = join(folder, 'book.xlsx')
  writeFileSync(path, book(parts))
  const { columns, rows } = await xlsxFile(path, wanted)
  const found = []
  for await (const batch of rows(() => {})) found.push(...batch)
  return { columns, rows: found.map((row) => ('cells' in row ? row.cells : [])), found }
}

const row = (inner: string) => ({ [SHEET]: sheet({ rows: `<row>${inner}</row>` }) })
const inline = (inner: string) => row(`<c t="inlineStr"><is>${inner}</is></c>`)

test('a plain workbook', async () => {
  const { columns, rows } = await read({})
  expect([columns, rows]).toEqual([
    ['name', 'size'],
    [
      ['Ann', 1],
      ['Bob', 2],
    ],
  ])
})

test.each([
  ['runs', '<r><t>a</t></r><r><rPr><b/></rPr><t xml:space="preserve"> b</t></r>', 'a b'],
  ['phonetic hints', '<t>東京</t><rPh sb="0" eb="2"><t>とうきょう</t></rPh>', '東京'],
  ['code units', '<t>a_x000D_b_x005F_x0041_c_xD83D__xDE00_</t>', 'a\rb_x0041_c😀'],
  ['entities', '<t>&lt;&#65;&#x1F600;&amp;lt;</t>', '<A😀&lt;'],
  ['CDATA', '<t>a<![CDATA[<b>]]>c</t>', 'a<b>c'],
  ['comments', '<t>a<!-- <t> -->b</t>', 'ab'],
])('a text with %s', async (_, inner, text) => {
  expect((await read(inline(inner))).rows).toEqual([[text]])
  const shared = { [TEXTS]: texts(`${PLAIN_TEXTS}<si>${inner}</si>`) }
  expect((await read({ ...shared, ...row('<c t="s"><v>4</v></c>') })).rows).toEqual([[text]])
})

test('what lies at the borders of the pieces that are read', async () => {
  const long = Array.from({ length: 5_000 }, (_, n) => `&lt;${n} 😀&#x41;`).join('')
  const text = long.replaceAll('&lt;', '<').replaceAll('&#x41;', 'A')
  expect((await read(inline(`<t>${long}</t>`))).rows).toEqual([[text]])
})

test('prefixes of names, quotes of either kind, and > in them', async () => {
  const prefixed = sheet({ rows: `<row a='">' ><c r = 'C2'\n s="0" ><v>7</v></c></row>` })
  const names = prefixed.replace(/<(\/?)([a-z])/gi, '<$1x:$2').replace('xmlns=', 'xmlns:x=')
  expect((await read({ [SHEET]: names })).found).toMatchObject([{ cells: [null, null, 7] }])
})

test.each<[what: string, parts: Parts, rows: unknown[][]]>([
  [
    'spaces around values',
    row('<c t="s"> <v>\n 2 \n</v></c><c><v> 7 </v></c><c t="b"><v>\t1</v></c><c><v>\n</v></c>'),
    [['Ann', 7, true]],
  ],
  ['ends of lines of a file', inline('<t>a\r\nb\rc&#13;\nd_x000D_</t>'), [['a\nb\nc\r\nd\r']]],
  ['a text that is no inline one', row('<c t="inlineStr"><v>Ann_x0041_</v></c>'), [['AnnA']]],
  [
    'an extension of a cell',
    row(
      '<c><v>1</v><extLst><ext uri="x"><a:v xmlns:a="b">9</a:v></ext></extLst></c><c><v>2</v></c>',
    ),
    [[1, 2]],
  ],
  [
    'cells of the first style, which need not say so',
    { [STYLES]: styles('<cellXfs><xf numFmtId="14"/></cellXfs>'), ...row('<c><v>45351</v></c>') },
    [[new Date('2024-02-29')]],
  ],
  [
    'days and moments as ISO 8601',
    row(
      ['2024-02-29', '2024-02-29T12:00', '2024-02-29T00:00:00.5', '2024-02-30T99:00', 'T12:00']
        .map((text) => `<c t="d"><v>${text}</v></c>`)
        .join(''),
    ),
    [
      [
        '2024-02-29',
        new Date('2024-02-29T12:00:00Z'),
        new Date('2024-02-29T00:00:00.500Z'),
        '2024-02-30T99:00',
        'T12:00',
      ],
    ],
  ],
  [
    'a format of 8,192 ranges',
    {
      [SHEET]: sheet({
        after: `<conditionalFormatting sqref="${'AB1000:AB1001 '.repeat(8192)}"/>`,
      }),
    },
    [
      ['Ann', 1],
      ['Bob', 2],
    ],
  ],
  [
    'a cell in each row of a wide table',
    {
      [SHEET]: sheet({
        rows: Array.from(
          { length: 4000 },
          (_, n) => `<row r="${n + 2}"><c r="BXX${n + 2}"><v>${n * 7919}</v></c></row>`,
        ).join(''),
      }),
    },
    Array.from({ length: 4000 }, (_, n) => [...new Array(1999).fill(null), n * 7919]),
  ],
  [
    'empty cells far to the right, in many rows',
    {
      [SHEET]: sheet({ rows: '<row><c r="A2"><v>1</v></c><c r="XFD2" s="1"/></row>'.repeat(2000) }),
    },
    Array.from({ length: 2000 }, () => [1]),
  ],
])('%s', async (_, parts, expected) => {
  expect((await read(parts)).rows).toEqual(expected)
})

test('ends of lines at the borders of the pieces that are read', async () => {
  const lines = 80_000
  const { rows } = await read(inline(`<t>${'x\r\n'.repeat(lines)}</t>`))
  expect(rows[0]?.[0] === 'x\n'.repeat(lines)).toBe(true)
})

test('days and times by the formats of their cells, not by those of others', async () => {
  const codes = ['h:mm', '[h]:mm', '"day"0', '[Red]0', '0\\d', 'General', 'yyyy', '#,##0.00']
  const formats = codes.map((code, n) => `<numFmt numFmtId="${200 + n}" formatCode='${code}'/>`)
  const cells = codes.map((_, n) => `<xf numFmtId="${200 + n}"/>`).join('')
  const all = `<numFmts>${formats.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${cells}<xf numFmtId="14"/></cellXfs>`
  const parts = {
    [STYLES]: styles(all),
    ...row(Array.from({ length: 9 }, (_, n) => `<c s="${n}"><v>45351.5</v></c>`).join('')),
  }
  const { rows } = await read(parts)
  const moment = new Date('2024-02-29T12:00:00Z')
  const number = 45351.5
  expect(rows).toEqual([[moment, moment, number, number, number, number, moment, number, moment]])
})

test.each([
  [1, '1900-01-01'],
  [59, '1900-02-28'],
  [61, '1900-03-01'],
])('day %i is %s', async (day, date) => {
  expect((await read(row(`<c s="1"><v>${day}</v></c>`))).rows).toEqual([[new Date(date)]])
})

test('days in the first line are names of columns, wherever the server is', async () => {
  const names = '<row><c s="1"><v>45351</v></c><c s="1"><v>45351.5</v></c></row>'
  const parts = { [SHEET]: sheet({ rows: names }).replace(NAMES, '') }
  expect((await read(parts)).columns).toEqual(['2024-02-29', '2024-02-29T12:00:00.000Z'])
})

test('the first sheet that has rows of its own, or the one of a name, also an escaped one', async () => {
  const sheets = ONE_SHEET.replace('<sheets>', '<sheets><sheet name="Chart" sheetId="8" r:id="x"/>')
  const chart = BOOK_RELATIONS.replace('rId3', 'x').replace('/styles"', '/chartsheet"')
  const parts = {
    [WORKBOOK]: workbook(sheets.replace('"One"', '"O_x006E_e"')),
    [RELATIONS]: relations(chart),
    [STYLES]: styles(PLAIN_STYLES),
  }
  expect((await read(parts)).columns).toEqual(['name', 'size'])
  expect((await read(parts, 'One')).columns).toEqual(['name', 'size'])
  await expect(read(parts, 'Chart')).rejects.toThrow('no sheet "Chart"')
})

test('a preview holds no more than so many characters, however well they are packed', async () => {
  const long = `<row><c t="inlineStr"><is><t>${'x'.repeat(200_000)}</t></is></c></row>`
  const path = join(folder, 'long.xlsx')
  writeFileSync(path, book({ [SHEET]: sheet({ rows: long.repeat(100) }) }))
  const source = await xlsxFile(path, undefined)
  let rows = 0
  for await (const batch of firstRows(source, { rows: 100, bytes: 1_000_000 })) rows += batch.length
  expect(rows).toBeLessThan(10)
})

test('a short file can not hold any number of characters', async () => {
  const shared = texts(`${PLAIN_TEXTS}<si><t>${'x'.repeat(30_000)}</t></si>`)
  const parts = (count: number) => {
    const rows = '<row><c t="s"><v>4</v></c></row>'.repeat(count)
    return { [TEXTS]: shared, [SHEET]: sheet({ rows }) }
  }
  expect((await read(parts(2_000))).rows).toHaveLength(2_000)
  await expect(read(parts(3_000))).rejects.toThrow('hold too much text')
})

test.each([
  ['a bomb', { [TEXTS]: texts('<si/>'.repeat(8_000_000)) }, 'unpack to'],
  ['a long text', inline(`<t>${'x'.repeat(300_000)}</t>`), 'more than 262,144 characters'],
  [
    'many gaps',
    { [SHEET]: sheet({ rows: '<row><c r="BXX2"><v>1</v></c></row>'.repeat(6_000) }) },
    'left out',
  ],
  [
    'a cell twice',
    { [SHEET]: sheet({ rows: '<row r="7"><c r="A7"><v>1</v></c><c r="A7"><v>2</v></c></row>' }) },
    'row 7 holds a cell twice',
  ],
  ['a document type', { [SHEET]: `<!DOCTYPE a>${sheet()}` }, 'document type'],
  ['crossed tags', row('<c><v>1</c></v>'), 'not open'],
  ['no sheet', { [SHEET]: null }, 'first sheet is empty'],
])('%s is refused', async (_, parts, reason) => {
  await expect(read(parts as Parts)).rejects.toThrow(reason)
})
