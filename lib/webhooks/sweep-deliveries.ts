import { sql } from 'drizzle-orm'
import { webhookDeliveries } from '@/lib/db/schema'
import { affectedRows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'

/** Ended ones of each webhook. */
export const MAX_KEPT = 20_000
const SWEPT_AT_ONCE = 50_000

/** Deletes ended deliveries that are older than the log of changes is kept, and the oldest beyond `MAX_KEPT`. Returns their number. */
export const sweepDeliveries = ({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<number> =>
  affectedRows(
    db,
    sql`delete from ${webhookDeliveries} where id in (
      select id from (
        select id, created_at, row_number() over (partition by webhook_id order by number desc) as nth
        from ${webhookDeliveries} where status not in ('queued', 'sending')
      ) as ended
      where nth > ${MAX_KEPT}::int or created_at < now() - make_interval(days => ${settings.EVENTS_DAYS}::int)
      limit ${SWEPT_AT_ONCE}::int)`,
  )
