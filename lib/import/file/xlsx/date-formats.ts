import type { ZipEntry } from '@/lib/archives/read-zip-directory'
import { type BookParts, bookFault } from './book-parts'
import { readPart } from './scan-part'
import { attributeOf } from './xml-text'

/** The largest number of formats that a workbook may have. */
const MAX_FORMATS = 65_536
const MAX_CODE_CHARS = 255

/** Whether the cells of a style are dates, by the number of the style. Throws `FileFault`. */
export async function readDateFormats(book: BookParts, styles: ZipEntry): Promise<boolean[]> {
  const formats = new Map<number, boolean>()
  const formatOfStyle: number[] = []
  let list = ''
  const formatId = (attributes: string) => Number(attributeOf(attributes, 'numFmtId') ?? 0)
  await readPart(book, styles, {
    open(name, attributes) {
      if (name === 'numFmts' || name === 'cellXfs') list = name
      else if (name === 'xf' && list === 'cellXfs') formatOfStyle.push(formatId(attributes))
      else if (name === 'numFmt' && list === 'numFmts')
        formats.set(
          formatId(attributes),
          isDateFormat((attributeOf(attributes, 'formatCode') ?? '').slice(0, MAX_CODE_CHARS)),
        )
      if (Math.max(formats.size, formatOfStyle.length) > MAX_FORMATS)
        throw bookFault(`it has more than ${MAX_FORMATS.toLocaleString('en')} formats`)
    },
    text() {},
    close(name) {
      if (name === list) list = ''
    },
  })
  return formatOfStyle.map((format) => formats.get(format) ?? isBuiltInDate(format))
}

/** ECMA-376, 18.8.30, with those of East Asian versions. */
const isBuiltInDate = (format: number): boolean =>
  [
    [14, 22],
    [27, 36],
    [45, 47],
    [50, 58],
  ].some(([first = 0, last = 0]) => format >= first && format <= last)

/** Letters of days, hours, minutes, seconds, months or years outside of quotes, escapes and brackets, or an elapsed time. */
function isDateFormat(code: string): boolean {
  if (/\[(h+|m+|s+)\]/i.test(code)) return true
  const plain = code.replace(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, '')
  return /[dhmsy]/i.test(plain.replace(/General/gi, ''))
}
