import { eq, type SQL, sql } from 'drizzle-orm'
import { pluginChanges, pluginRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Followed, Renamed } from './renames/follow-renames'
import { settlePending } from './settle-pending'

/** What is remembered of the records that plugins gave. */
export async function followPluginRecords(
  tx: Db,
  { from, to, fields }: Omit<Renamed, 'nameOf'>,
): Promise<Followed> {
  const renamed = (json: unknown): SQL =>
    fields.reduce(
      (value, field) => sql`case when ${json} ? ${field.from}::text
        then (${value} - ${field.from}::text) || jsonb_build_object(${field.to}::text, ${json} -> ${field.from}::text)
        else ${value} end`,
      sql`${json}`,
    )
  const { before, remembered } = pluginChanges
  if (from === to && fields.length === 0) return NOTHING
  await settlePending(tx, { entities: [from] })
  await tx
    .update(pluginRecords)
    .set({ entity: to, base: renamed(pluginRecords.base) })
    .where(eq(pluginRecords.entity, from))
  await tx
    .update(pluginChanges)
    .set({
      entity: to,
      before: sql`case when ${before} ? '$left'
        then ${renamed(before)} || jsonb_build_object('$left', ${renamed(sql`(${before} -> '$left')`)}) else ${renamed(before)} end`,
      remembered: sql`case when ${remembered} is null then null else ${remembered}
        || jsonb_build_object('entity', ${to}::text, 'base', ${renamed(sql`(${remembered} -> 'base')`)}) end`,
    })
    .where(eq(pluginChanges.entity, from))
  return NOTHING
}

/** It needs no mention. */
const NOTHING = { what: 'record', count: 0 }
