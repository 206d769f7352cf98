import { sql } from 'drizzle-orm'
import { affectedRows } from '@/lib/db/affected-rows'
import { tableSql } from '@/lib/db/identifiers'
import type { Db } from '@/lib/db/types'
import { passCounters } from '@/lib/rows/generated-keys'
import { columnList } from '@/lib/rows/record-columns'
import type { Restoration } from './find-problems'
import { restoredRows } from './restored-rows'

/** Writes the records without a known problem into the entity's table; returns their number. */
export async function insertRestored(tx: Db, restoration: Restoration): Promise<number> {
  const { entity, batch, plan } = restoration
  // The table may have been made again since.
  const isGiven = (key: string) => plan.columns.some(({ name }) => name === key)
  await passCounters(tx, entity, sql`(${restoredRows(batch, plan)}) as n`, isGiven)
  const names = columnList(plan.columns.map(({ name }) => name))
  return affectedRows(
    tx,
    sql`insert into ${tableSql(entity.table)} (${names})
        select ${names} from (${restoredRows(batch, plan)}) as n`,
  )
}
