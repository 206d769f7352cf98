/** A value in the text form of the SQL type it is compared as. Always becomes a bound parameter. */
export type Literal = ScalarLiteral | JsonLiteral

export type ScalarType =
  | ('text' | 'bigint' | 'numeric' | 'float8' | 'boolean')
  | ('date' | 'timestamptz' | 'time' | 'interval')

export type ScalarLiteral = {
  type: ScalarType
  text: string
  /** A relative time as it was given, of which `text` is what it means now. */
  written?: string
}

/** A value compared with JSON of any type: strings of the URL and typed values are equal. */
export type JsonLiteral = {
  type: 'json'
  /** The result of `#>>` for an equal value; null for an object or array. */
  text: string | null
  /** The number that it spells, if any. */
  number: string | null
  /** JSON text of an object or array. */
  container: string | null
}

/** The literal of a text that a value was found to be; null of none. */
export const scalar = (type: ScalarType, text: string | null | undefined): ScalarLiteral | null =>
  text === null || text === undefined ? null : { type, text }
