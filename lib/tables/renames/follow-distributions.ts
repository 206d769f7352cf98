import { sql } from 'drizzle-orm'
import { affectedRows } from '@/lib/db/affected-rows'
import { entities } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Followed, Renamed } from './follow-renames'

/** The entities that are kept with the renamed one on a cluster. */
export async function followDistributions(tx: Db, { from, to }: Renamed): Promise<Followed> {
  const beside = sql`'{distribution,with}'::text[]`
  const count = await affectedRows(
    tx,
    sql`update ${entities} set definition = jsonb_set(definition, ${beside}, to_jsonb(${to}::text))
      where definition #>> ${beside} = ${from}::text`,
  )
  return { what: 'distribution', count }
}
