import type { SQL } from 'drizzle-orm'

/** Which records forbid a step: a condition on the table's rows, and what it means to people. */
export type Contradiction = { where: SQL; value: SQL | null; message: string }
