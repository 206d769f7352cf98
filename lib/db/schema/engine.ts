import { bigint, customType, pgSchema, timestamp } from 'drizzle-orm/pg-core'

/** The tables of the engine itself. Tables of installed entities are in the schema `entities`. */
export const engine = pgSchema('engine')

export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** `timestamptz(3)`: the precision of JavaScript's Date, so that no value is rounded. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
export const createdAt = () => instant('created_at').notNull().defaultNow()
export const updatedAt = () =>
  instant('updated_at')
    .notNull()
    .defaultNow()
    .$onUpdate(() => new Date())

/** A table by its identity, which a dump keeps by name. */
export const regclass = customType<{ data: string }>({ dataType: () => 'regclass' })
export const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

/** Of a sequence; as a number, which is exact for 9,000 million million of them. */
export const bigId = (name: string) => bigint(name, { mode: 'number' })
