import { timestamp } from 'drizzle-orm/pg-core'

/** `timestamptz(3)`: what JavaScript's Date can hold, so that nothing is rounded on the way. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
export const createdAt = () => instant('created_at').notNull().defaultNow()
export const updatedAt = () =>
  instant('updated_at')
    .notNull()
    .defaultNow()
    .$onUpdate(() => new Date())
