import { bookFault } from './book-parts'

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** A text of XML without entities. Throws `FileFault` for unknown ones. */
export const withoutEntities = (text: string): string =>
  text.includes('&') ? text.replace(/&([^;&]{0,10};?)/g, characterOf) : text

function characterOf(entity: string, name: string): string {
  const [, hex, digits] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}));$/i.exec(name) ?? []
  const code = hex ? Number.parseInt(hex, 16) : digits ? Number(digits) : Number.NaN
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  const found = isCharacter ? String.fromCodePoint(code) : ENTITIES[name.slice(0, -1)]
  if (found === undefined || !name.endsWith(';')) throw bookFault(`"${entity}" is no character`)
  return found
}

/** The value of an attribute, by its name without prefix, in the text of a tag; undefined where it is missing. */
export function attributeOf(attributes: string, name: string): string | undefined {
  for (let at = 0; ; ) {
    const equals = attributes.indexOf('=', at)
    if (equals < 0) return undefined
    let begin = equals + 1
    while (/\s/.test(attributes[begin] ?? '')) begin++
    const quote = attributes[begin]
    const end = quote === '"' || quote === "'" ? attributes.indexOf(quote, begin + 1) : -1
    if (end < 0) throw bookFault('an attribute has no value')
    if (localName(attributes.slice(at, equals).trim()) === name)
      return withoutEntities(attributes.slice(begin + 1, end))
    at = end + 1
  }
}

/** A text of a workbook, in which `_xHHHH_` is a UTF-16 code unit (ECMA-376, `ST_Xstring`). */
export const bookText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_, hex) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text

export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
