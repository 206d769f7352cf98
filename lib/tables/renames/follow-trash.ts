import { eq, sql } from 'drizzle-orm'
import { trashBatches, trashRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { EXTRA_COLUMN } from '@/lib/definitions/definition'
import type { Followed, Renamed } from './follow-renames'

/** Deleted and edited records, which are restored into the present fields. */
export async function followTrash(tx: Db, renamed: Renamed): Promise<Followed> {
  const { from, to, nameOf, fields } = renamed
  const found = await tx.select().from(trashBatches).where(eq(trashBatches.entity, from))
  for (const { id, kind, columns, keys, properties } of found) {
    const named = <T extends { name: string }>(one: T): T => ({ ...one, name: nameOf(one.name) })
    const followed = {
      entity: to,
      columns: columns.map(named),
      keys: keys.map(nameOf),
      properties: properties.map(named),
    }
    await tx.update(trashBatches).set(followed).where(eq(trashBatches.id, id))
    for (const field of fields) {
      await followField(tx, id, field)
      if (kind === 'edit') await followValues(tx, id, field)
    }
  }
  return { what: 'batch in the trash', count: found.length }
}

async function followField(tx: Db, id: string, { from, to }: { from: string; to: string }) {
  const { data } = trashRecords
  const moved = (json: unknown) =>
    sql`(${json} - ${from}::text) || jsonb_build_object(${to}::text, ${json} -> ${from}::text)`
  const extra = sql`(${data} -> ${EXTRA_COLUMN}::text)`
  await tx.execute(
    sql`update ${trashRecords} set data = case
        when ${data} ? ${from}::text then ${moved(data)}
        else ${data} || jsonb_build_object(${EXTRA_COLUMN}::text, ${moved(extra)}) end
      where batch_id = ${id}::uuid and (${data} ? ${from}::text or ${extra} ? ${from}::text)`,
  )
}

/** Values of an edited record before and after, as `KeptEdit` has them. */
async function followValues(tx: Db, id: string, { from, to }: { from: string; to: string }) {
  const { data } = trashRecords
  const parts = ['$before', '$after'].map((part) => {
    const json = sql`(${data} -> ${part}::text)`
    return sql`case when ${json} ? ${from}::text then jsonb_build_object(${part}::text,
      (${json} - ${from}::text) || jsonb_build_object(${to}::text, ${json} -> ${from}::text)) else '{}'::jsonb end`
  })
  await tx.execute(
    sql`update ${trashRecords} set data = ${data} || ${sql.join(parts, sql` || `)}
      where batch_id = ${id}::uuid`,
  )
}
