import { pgSchema } from 'drizzle-orm/pg-core'

/** Our own tables. Tables of installed entities are elsewhere, in the schema `entities`. */
export const engine = pgSchema('engine')
