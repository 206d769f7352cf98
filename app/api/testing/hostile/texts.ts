/** UTF-8 in percent-encoding. Halves of surrogate pairs too, which no encoder of ours would send. */
const percent = (text: string) =>
  [...text]
    .map((char) => {
      const code = char.codePointAt(0) ?? 0
      const isHalf = code >= 0xd800 && code <= 0xdfff
      const bytes = isHalf
        ? [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
        : [...Buffer.from(char)]
      const isPlain = /^[A-Za-z0-9_~-]$/.test(char)
      return isPlain ? char : bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    })
    .join('')

/** As part of a path; `.` and `..` are sent as they are, and would be resolved by browsers. */
export const inPath = (text: string) => percent(text.slice(0, 2000)) || '%20'
export const inQuery = (text: string) => percent(text.slice(0, 3000))

/** A header's value as bytes in UTF-8, without the characters that no client can send in one. */
export const asHeader = (text: string) =>
  Buffer.from(text.slice(0, 2000))
    .toString('latin1')
    .replace(/\p{Cc}/gu, (char) => (char >= '\u0080' ? char : '?'))
