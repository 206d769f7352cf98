import { book, NAMES, PLAIN_TEXTS, SHEET, sheet, TEXTS, texts } from './book'
import { type Make, MIB, megabytes } from './hostile-book'

const BOMB = /unpack to|too much text|more than 262,144 characters|left out|take more than/

const ofSheet = (rows: string) => book({ [SHEET]: sheet({ rows }) })
const inline = (text: string) => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`
const row = (count: number, cell: (column: number) => string) =>
  `<row>${Array.from({ length: count }, (_, at) => cell(at)).join('')}</row>`
const wideNames = (count: number) =>
  `<sheetData>${row(count, (at) => `<c t="inlineStr"><is><t>c${at}</t></is></c>`)}`

/** Sheets whose cells, rows and texts are many, long or far away. */
export const HOSTILE_CELLS: Record<string, Make> = {
  'a long inline text': (random) => ({
    bytes: ofSheet(inline(megabytes('x', 1 + random(300)))),
    refused: BOMB,
  }),
  'a long shared text': (random) => ({
    bytes: book({ [TEXTS]: texts(`<si><t>${megabytes('x', 1 + random(100))}</t></si>`) }),
    refused: BOMB,
  }),
  'a long text of a formula': (random) => ({
    bytes: ofSheet(`<row><c t="str"><v>${megabytes('y', 1 + random(40))}</v></c></row>`),
    refused: BOMB,
  }),
  'a long number': (random) => ({
    bytes: ofSheet(`<row><c><v>${megabytes('1', 1 + random(40))}</v></c></row>`),
    refused: BOMB,
  }),
  'a long formula': (random) => ({
    bytes: ofSheet(`<row><c><f>${megabytes('1+', 1 + random(20))}</f><v>2</v></c></row>`),
    rows: [[2]],
  }),
  'many long texts in a row': (random) => {
    const cell = `<c t="inlineStr"><is><t>${'z'.repeat(10_000)}</t></is></c>`
    return { bytes: ofSheet(row(150 + random(150), () => cell)), refused: BOMB }
  },
  'one shared text in a wide row': (random) => ({
    bytes: book({
      [TEXTS]: texts(`${PLAIN_TEXTS}<si><t>${'z'.repeat(30_000)}</t></si>`),
      [SHEET]: sheet({ rows: row(100 + random(1000), () => '<c t="s"><v>4</v></c>') }),
    }),
    refused: BOMB,
  }),
  'one shared text in many rows': (random) => {
    const count = 500 + random(10_000)
    const rows = '<row><c t="s"><v>4</v></c></row>'.repeat(count)
    const text = `<si><t>${'z'.repeat(30_000)}</t></si>`
    const bytes = book({ [TEXTS]: texts(PLAIN_TEXTS + text), [SHEET]: sheet({ rows }) })
    return { bytes, ...(count * 30_000 > 65 * MIB ? { refused: BOMB } : { rows: count }) }
  },
  'empty shared texts': (random) => ({
    bytes: book({ [TEXTS]: texts(PLAIN_TEXTS + '<si/>'.repeat(random(6_000_000))) }),
  }),
  'different shared texts': (random) => {
    const count = 100_000 + random(400_000)
    const all = Array.from({ length: count }, (_, at) => `<si><t>text ${at}</t></si>`).join('')
    return { bytes: book({ [TEXTS]: texts(PLAIN_TEXTS + all) }), rows: 2 }
  },
  'runs of a text': (random) => {
    const count = random(250_000)
    const runs = '<r><rPr><b/></rPr><t>x</t></r>'.repeat(count)
    return {
      bytes: ofSheet(`<row><c t="inlineStr"><is>${runs}</is></c></row>`),
      rows: count ? 1 : 0,
    }
  },
  'empty cells': (random) => ({
    bytes: ofSheet(`<row>${'<c/>'.repeat(random(100_000))}</row>`.repeat(1 + random(60))),
  }),
  'empty rows': (random) => ({ bytes: ofSheet('<row/>'.repeat(random(5_000_000))), rows: 0 }),
  'small rows': (random) => {
    const count = random(600_000)
    return { bytes: ofSheet('<row><c><v>1</v></c></row>'.repeat(count)), rows: count }
  },
  'cells in the last column': (random) => {
    const count = random(600_000)
    const bytes = ofSheet('<row><c r="XFD2"><v>1</v></c></row>'.repeat(count))
    return { bytes, ...(count * 1_999 > 12_000_000 ? { refused: BOMB } : {}) }
  },
  'cells in the last column that is read': (random) => {
    const rows = `${row(2000, (at) => `<c t="inlineStr"><is><t>c${at}</t></is></c>`)}${'<row><c r="BXX2"><v>1</v></c></row>'.repeat(random(900_000))}`
    return { bytes: book({ [SHEET]: sheet({ rows }).replace(NAMES, '') }) }
  },
  'names in all columns': () => ({
    bytes: book({ [SHEET]: sheet().replace(`<sheetData>${NAMES}`, wideNames(16_384)) }),
    refused: /has 16384 columns/,
  }),
  'a cell beyond the last column': () => ({
    bytes: ofSheet('<row><c r="XFE2"><v>1</v></c></row>'),
    refused: /"XFE2" is no cell/,
  }),
}
