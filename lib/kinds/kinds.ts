import { array } from './array'
import { boolean } from './boolean'
import { date } from './date'
import { datetime } from './datetime'
import { decimal } from './decimal'
import { duration } from './duration'
import type { FieldKind } from './field-kind'
import { float } from './float'
import { integer } from './integer'
import { json } from './json'
import type { Kind } from './kind'
import { location } from './location'
import { object } from './object'
import { text } from './text'
import { time } from './time'

/** Every kind of fields, in the order in which types are proposed for the columns of a file: narrow ones first. */
export const KINDS: Readonly<Record<Kind, FieldKind>> = {
  boolean,
  integer,
  decimal,
  float,
  date,
  datetime,
  time,
  duration,
  location,
  object,
  array,
  text,
  json,
}

/** The kind of columns of a type of PostgreSQL; null of types that no property has. */
export const kindOfColumn = (column: string): FieldKind | null => BY_COLUMN.get(column) ?? null

const BY_COLUMN = new Map(
  Object.values(KINDS).flatMap((kind) =>
    Object.keys(kind.types).map((type): [string, FieldKind] => [kind.column(type), kind]),
  ),
)
