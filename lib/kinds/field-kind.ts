import { type SQL, sql } from 'drizzle-orm'
import type { Json, JsonObject } from '@/lib/values/json'

/** Of a property: the type as it was declared, and the limits of numbers. */
export type Limits = { type: string; min?: number; max?: number }

/** Of a property, for a value that its rules allow. */
export type Sampled = Limits & {
  name: string
  format?: string
  minLength?: number
  maxLength?: number
}

/**
 * All that servers know of a kind of fields. `type` is always the declared type in lower case, by which a few kinds differ
 * within themselves: `bigint`, `smallint`, `bit`.
 */
export type FieldKind = {
  // Definitions

  /**
   * The types of properties of this kind, in lower case, with the format that their texts must have. `isLate`: plugins may have
   * defined a type of that name before it was built in, which goes on to apply.
   */
  types: Readonly<Record<string, { format?: string; isLate?: true }>>
  /** Formats of strings in JSON Schema, in lower case, and the types that they mean. */
  jsonSchemaFormats: Readonly<Record<string, string>>
  /** The strategies by which a field of the kind can be a key. */
  keyStrategies: readonly ('AutoIncrement' | 'UUID' | 'Fixed')[]

  // Values

  /** What a value is, in words after `must be`; with the forms that are accepted. */
  words: (type: string) => string
  /** Whether a value as it is sent is one. */
  accepts: (value: Json, type: string) => boolean
  /** The types of JSON in which values are sent; texts and objects are checked by `accepts`, too, where `isParsed`. */
  sentAs: (type: string) => string[]
  isParsed: boolean
  /** Whether a text may spell a value whose digits a JSON number would lose. */
  isSpelt: (type: string) => boolean
  /** The range of whole numbers; null where values have no range. */
  range: (type: string) => { min: number; max: number } | null
  /** The keywords of JSON Schema, and of `record-ajv.ts`, that check numbers and flags. */
  keywords: (limits: Limits) => JsonObject
  /** The form in which an accepted value is stored, where there are several. */
  stored: (type: string) => ((value: Json) => Json) | null
  /** A text that two stored values share exactly when the database considers them equal; null: their own text. */
  equalText: ((value: string | number) => string) | null
  /** The present time, as a value and in SQL, of kinds that have it as a default, and as `$now` in edits and conditions. */
  now: { text: (instant: string) => string; sql: SQL } | null

  // Columns

  /** PostgreSQL's name of the column's type, as in `format_type`. */
  column: (type: string) => string
  /** The value of a column as it is returned, ready for JSON. */
  served: (column: SQL) => SQL
  /** A value of the JSON of a row, as PostgreSQL writes it, in the form in which it is returned. */
  fromRow: ((value: Json) => Json) | null
  /** Whether a conversion from or to text depends on settings of the connection, which nodes of a cluster refuse in updates. */
  dependsOnSettings: boolean
  /** Whether a text can be converted, without a cast that fails; null: always. `text` has no blanks around it. */
  fitsText: (text: SQL, type: string) => SQL | null
  fromText: (text: SQL, type: string) => SQL
  /** The same for JSON other than null. */
  fitsJson: (json: SQL, type: string) => SQL
  /** JSON's null becomes SQL's null. */
  fromJson: (json: SQL, type: string) => SQL

  // Searches

  /** The type by which an index of the column compares, and to which values are cast. */
  comparedAs: ScalarType
  /** A value of a condition, typed or as text; null when it is none. */
  literal: (value: Json) => Literal | null
  /** Whether SUM and AVG take it. */
  isSummed: boolean
  /** Whether a search finds all records with a value by the JSON of that value. */
  isFoundByValue: boolean

  // Files

  /** The type of cells in sheets. */
  sheetCell: 'text' | 'number' | 'boolean'
  /** What a CSV file has: the value; its text; or a text of which a spreadsheet makes no formula. */
  csvCell: 'value' | 'text' | 'harmless text'
  /** What tables for people have in place of JSON; null: as it is returned. */
  tableText: ((column: SQL) => SQL) | null
  /** How cells of imported files are read. */
  readCell: 'text' | 'trimmed text' | 'number' | 'boolean' | 'time of day' | 'json' | 'location'
  /** The types that are proposed for a column of a file, the narrowest first, and the texts that suggest each. */
  proposals: readonly { type: string; fits: (text: string) => boolean }[]

  // Documents

  /** JSON Schema of returned values. */
  schema: JsonObject & { type?: string; format?: string }
  /** The type of returned values in TypeScript. */
  typescript: string
  /** The type in TypeScript of objects that are sent. */
  typescriptObject: string
  /** A value that the rules allow. */
  sample: (property: Sampled) => Json
  /** A condition that many records are likely to meet. */
  sampleCondition: { operator: string; value: Json } | null
}

/** `fits` of the text when it has the pattern and is short enough to be matched; false otherwise. */
export const matching = (text: SQL, pattern: string, fits: SQL = sql`true`): SQL =>
  sql`case when length(${text}) <= 1000 and ${text} ~ '${sql.raw(pattern)}' then ${fits} else false end`

/** Whether JSON is of a type, by `jsonb_typeof`. */
export const isOfType = (json: SQL, name: string): SQL =>
  sql`jsonb_typeof(${json}) = '${sql.raw(name)}'`

/** `fits` of JSON of a type; `otherwise` of any other. */
export const whenOfType = (json: SQL, name: string, fits: SQL, otherwise = sql`false`): SQL =>
  sql`case when ${isOfType(json, name)} then ${fits} else ${otherwise} end`

/** The text of JSON, without quotes. */
export const textOf = (json: SQL): SQL => sql`(${json} #>> '{}')`

export const asStored = (column: SQL): SQL => column

/** Whether a numeric is whole and in the range of an integer type. */
export const wholeFits = (number: SQL, column: string): SQL =>
  column === 'smallint'
    ? sql`(${number} = trunc(${number}) and ${number} between -32768 and 32767)`
    : sql`(${number} = trunc(${number}) and ${number} between -9223372036854775808 and 9223372036854775807)`

/** In POSIX's syntax. */
export const NUMBER = '^[-+]?[0-9]+([.][0-9]*)?([eE][-+]?[0-9]{1,2})?$'
export const DAY = '(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
export const TIME = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?'

/** Whether the day of `YYYY-MM-DD…` exists in its month. */
export function isDayOfMonth(text: SQL): SQL {
  const first = sql`(substr(${text}, 1, 7) || '-01')::date`
  return sql`substr(${text}, 9, 2)::int <= extract(day from ${first} + interval '1 month - 1 day')`
}

/** MongoDB's export writes an instant as `{ "$date": "…" }`. */
export const plainJson = (json: SQL): SQL =>
  sql`(case when jsonb_typeof(${json}) = 'object' then ${json} -> '$date' else ${json} end)`

/** Without blanks around it, by the cast of PostgreSQL. */
export const castTo = (text: SQL, column: string): SQL => sql`trim(${text})::${sql.raw(column)}`

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
