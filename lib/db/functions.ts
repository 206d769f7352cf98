import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The start of the current transaction, by the clock of the database. */
export const now = sql`now()`

/** The time as it is, also within a long transaction. */
export const clockTime = sql`clock_timestamp()`

export const plus = (column: SQLWrapper, amount: number): SQL => sql`${column} + ${amount}`

export const lower = (text: SQLWrapper | string): SQL<string> => sql`lower(${text})`
