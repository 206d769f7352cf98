import { index, integer, text } from 'drizzle-orm/pg-core'
import { engine, instant } from './engine'

/** Attempts within a window, by rule and hashed subject; shared by all instances. */
export const rateLimits = engine.table(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    points: integer('points').notNull(),
    /** The end of the window; the row has no effect afterwards. */
    expire: instant('expire'),
  },
  (t) => [index('rate_limits_expire').on(t.expire)],
)
