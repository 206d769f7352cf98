import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The start of the current transaction, by the clock of the database. */
export const now = sql`now()`

/** The time as it is, also within a long transaction. */
export const clockTime = sql`clock_timestamp()`

export const plus = (column: SQLWrapper, amount: number): SQL => sql`${column} + ${amount}`

export const lower = (text: SQLWrapper | string): SQL<string> => sql`lower(${text})`

/**
 * The name of a role as it is compared: in lower case, with one form of the sigma and of the dotted i, of which JavaScript, in whose
 * lower case names of policies are stored, and PostgreSQL make different ones.
 */
export const foldedRole = (name: SQLWrapper | string): SQL<string> =>
  sql`translate(lower(${name}), U&'\\03C2\\0307', U&'\\03C3')`
