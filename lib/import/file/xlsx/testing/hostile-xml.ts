import { book, PLAIN_ROWS, SHEET, STYLES, sheet, TEXTS, WORKBOOK } from './book'
import { type Make, megabytes } from './hostile-book'

const PARTS = [SHEET, TEXTS, STYLES, WORKBOOK]

const ofSheet = (more: Parameters<typeof sheet>[0]) => book({ [SHEET]: sheet(more) })
const inCell = (text: string) =>
  ofSheet({ rows: `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>` })
const refusing = (bytes: Uint8Array, refused: RegExp) => ({ bytes, refused })

/** XML that is long, deep or broken. */
export const HOSTILE_XML: Record<string, Make> = {
  'a long comment': (random) => ({
    bytes: ofSheet({ before: `<!--${megabytes('- ', random(20))}-->` }),
    rows: PLAIN_ROWS,
  }),
  'many comments': (random) => ({
    bytes: ofSheet({ before: megabytes('<!---->', random(10)) }),
    rows: PLAIN_ROWS,
  }),
  spaces: (random) => ({
    bytes: ofSheet({ rows: `${megabytes(' \n', random(20))}<row><c><v>1</v></c></row>` }),
    rows: [[1]],
  }),
  'other tags': (random) => ({
    bytes: ofSheet({ after: `<extLst>${megabytes('<a b="c"/>', random(16))}</extLst>` }),
    rows: PLAIN_ROWS,
  }),
  'a CDATA section': (random) => {
    const text = `${random(1000)}<&>`
    return { bytes: inCell(`<![CDATA[${text}]]>`), rows: [[text]] }
  },
  'a long CDATA section': (random) =>
    refusing(inCell(`<![CDATA[${megabytes('x', 1 + random(20))}]]>`), /characters/),
  'a long attribute': (random) =>
    refusing(ofSheet({ rows: `<row a="${megabytes('x', 1 + random(20))}"/>` }), /too long/),
  'an attribute without end': (random) =>
    refusing(ofSheet({ rows: `<row a="${megabytes('>', 1 + random(20))}` }), /too long/),
  'many attributes': (random) => ({
    bytes: ofSheet({ rows: `<row><c ${'a="" '.repeat(random(12_000))}><v>1</v></c></row>` }),
    rows: [[1]],
  }),
  'attributes without values': (random) =>
    refusing(
      ofSheet({ rows: `<row><c ${'a = '.repeat(1 + random(10_000))}/></row>`.repeat(100) }),
      /has no value/,
    ),
  'deep tags': (random) =>
    refusing(ofSheet({ after: '<a>'.repeat(200 + random(1_000_000)) }), /no XML of a workbook/),
  'a document type': () =>
    refusing(
      book({ [SHEET]: `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1000)}">]>${sheet()}` }),
      /document type/,
    ),
  'unknown characters': (random) => {
    const entity = ['&b;', '&#0;', '&#xD800;', '&#1114112;', '&', '&amp', '&#;'][random(7)]
    return refusing(inCell(`a${entity} b`), /is no character/)
  },
  'many characters': (random) => {
    const count = random(50_000)
    return { bytes: inCell('&#x41;&amp;'.repeat(count)), rows: count ? [['A&'.repeat(count)]] : [] }
  },
  'bytes that are no text': (random) => {
    const bytes = Buffer.from(sheet())
    bytes[bytes.length - 1 - random(50)] = 0xff
    return refusing(book({ [SHEET]: bytes }), /not valid UTF-8/)
  },
  'UTF-16': () => ({
    bytes: book({ [SHEET]: Buffer.from(`\uFEFF${sheet()}`, 'utf16le') }),
    rows: PLAIN_ROWS,
  }),
  'a part that is cut': (random) => {
    const text = sheet()
    const cut = text.slice(0, text.length - 1 - random(400))
    return refusing(book({ [SHEET]: cut }), /ends before its end|no value/)
  },
  'a part that goes on': (random) =>
    refusing(
      book({ [SHEET]: sheet() + ['<a/>', 'a', '</a>'][random(3)] }),
      /two beginn|no XML|not open/,
    ),
  'crossed tags': () =>
    refusing(ofSheet({ rows: '<row><c><v>1</c></v></row>' }), /which is not open/),
  'zeros instead of a part': (random) =>
    refusing(book({ [PARTS[random(4)] as string]: Buffer.alloc(1 + random(200_000_000)) }), /./),
  'an empty part': (random) =>
    refusing(book({ [PARTS[random(4)] as string]: '' }), /ends before its end/),
  'characters that were exchanged': (random) => {
    const text = sheet().split('')
    for (let n = 0; n <= random(5); n++)
      text[300 + random(text.length - 300)] = '<>"/=&;1a '.charAt(random(10))
    return { bytes: book({ [SHEET]: text.join('') }) }
  },
}
