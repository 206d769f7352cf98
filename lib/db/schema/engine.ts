import { customType, pgSchema } from 'drizzle-orm/pg-core'

/** The tables of the engine itself. Tables of installed entities are in the schema `entities`. */
export const engine = pgSchema('engine')

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
