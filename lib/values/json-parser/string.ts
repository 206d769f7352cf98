import { BACKSLASH, QUOTE } from './chars'
import { syntaxError } from './syntax-error'

const [CARRIAGE_RETURN, LINE_FEED, LETTER_U] = [0x0d, 0x0a, 0x75]
const HEX = /[\da-f]{4}/iy
/** Characters after a backslash, except `u`. */
const ESCAPES = new Set([...'"\\/bfnrt'].map((char) => char.charCodeAt(0)))

/** Index after the string that opens at `open`; throws `JsonSyntaxError` when it is not valid. */
export function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at = lastOfEscape(text, at)
    else if (code < 0x20) {
      if (code === LINE_FEED || code === CARRIAGE_RETURN) break
      throw syntaxError(text, at, 'Control characters must be escaped')
    }
  }
  throw syntaxError(text, open, 'Unterminated string')
}

function lastOfEscape(text: string, at: number): number {
  const code = text.charCodeAt(at + 1)
  if (ESCAPES.has(code)) return at + 1
  if (code !== LETTER_U) throw syntaxError(text, at, 'Invalid escape')
  HEX.lastIndex = at + 2
  if (!HEX.test(text)) throw syntaxError(text, at, 'Invalid unicode escape')
  return at + 5
}

/** Index after the string that opens at `open`, in a text that is known to be JSON. */
export function skipString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((at - before) % 2 === 1) return at + 1
  }
  return text.length
}
