import { sql } from 'drizzle-orm'
import { recordVersions } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { EXTRA_COLUMN, type TableName } from '@/lib/definitions/definition'
import { relationSql } from '@/lib/totals/keep-total'
import type { TableChange } from '../plan-change'

/** Gives former versions of records the present names of entity and fields. The table must have been renamed. */
export async function followVersions(
  tx: Db,
  { before, after, renames }: TableChange,
): Promise<void> {
  if (!before || !renames) return
  const { table } = before.entity
  if (renames.formerName !== after.name)
    await tx.execute(
      sql`update ${recordVersions} set entity = ${after.name} where relation = ${relationSql(table)}`,
    )
  for (const field of renames.fields)
    for (const part of [recordVersions.data, recordVersions.after])
      await followField(tx, table, part, field)
}

type Part = typeof recordVersions.data | typeof recordVersions.after

async function followField(
  tx: Db,
  table: TableName,
  part: Part,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const moved = (json: unknown) =>
    sql`(${json} - ${from}::text) || jsonb_build_object(${to}::text, ${json} -> ${from}::text)`
  const extra = sql`(${part} -> ${EXTRA_COLUMN}::text)`
  await tx.execute(
    sql`update ${recordVersions} set ${sql.identifier(part.name)} = case
        when ${part} ? ${from}::text then ${moved(part)}
        else ${part} || jsonb_build_object(${EXTRA_COLUMN}::text, ${moved(extra)}) end
      where relation = ${relationSql(table)} and (${part} ? ${from}::text or ${extra} ? ${from}::text)`,
  )
}
