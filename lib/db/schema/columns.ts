import { timestamp } from 'drizzle-orm/pg-core'

/** `timestamptz(3)`: the precision of JavaScript's Date, so that no value is rounded. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
export const createdAt = () => instant('created_at').notNull().defaultNow()
export const updatedAt = () =>
  instant('updated_at')
    .notNull()
    .defaultNow()
    .$onUpdate(() => new Date())
