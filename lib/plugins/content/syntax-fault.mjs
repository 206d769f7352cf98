import { printParseErrorCode, visit } from 'jsonc-parser'

/**
 * The first position where `text` stops being JSON. V8 gives no position for some faults. If the text
 * `continues`, its end is no fault. Null when there is none.
 *
 * @param {string} text
 * @param {boolean} continues
 * @returns {{ code: string, offset: number } | null}
 */
export function findSyntaxFault(text, continues) {
  let found = null
  try {
    const onError = (error, offset, length) => {
      found = { code: printParseErrorCode(error), offset, end: offset + length }
      throw found
    }
    visit(text, { onError }, { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (error !== found) throw error
  }
  if (!found || (continues && found.end >= text.length)) return null
  return { code: found.code, offset: found.offset }
}

/**
 * Index of the first byte that is not UTF-8.
 * @param {Buffer} bytes
 */
export function firstInvalidByte(bytes) {
  const again = Buffer.from(bytes.toString('utf8'))
  let at = 0
  while (at < bytes.length && bytes[at] === again[at]) at++
  return at
}
