import type { SQL } from 'drizzle-orm'
import type { Property } from '@/lib/definitions/definition'
import { KINDS } from '@/lib/kinds/kinds'

type Typed = Pick<Property, 'kind' | 'type'>

/** The column value of a JSON value that `jsonFits`; JSON's null becomes SQL's null. */
export const jsonToColumn = (json: SQL, { kind, type }: Typed): SQL =>
  KINDS[kind].fromJson(json, type)

/**
 * Whether a JSON value other than null can be converted to the property's type. Texts are read as
 * values, as those of a text column are.
 */
export const jsonFits = (json: SQL, { kind, type }: Typed): SQL => KINDS[kind].fitsJson(json, type)
