import type { JsonObject } from '@/lib/values/json'

/** A record that passed every check which needs no database, in the form in which it is stored. */
export type PreparedRow = {
  /** Position among the records of the call, from 0. */
  index: number
  /** The declared fields that were given, including the key. Without defaults and audit fields. */
  values: JsonObject
  /** The undeclared fields that were given. */
  extra: JsonObject | null
}
