/** Character codes of JSON's grammar. */
export const QUOTE = 0x22
export const BACKSLASH = 0x5c
export const COMMA = 0x2c
export const COLON = 0x3a
export const SLASH = 0x2f
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
export const PLUS = 0x2b
export const MINUS = 0x2d
export const POINT = 0x2e

/** Blanks, tabs and ends of lines. */
export const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

export const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
