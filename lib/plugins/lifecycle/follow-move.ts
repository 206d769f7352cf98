import { sql } from 'drizzle-orm'
import { pluginChanges, pluginRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { Origin } from './origin'

/** Gives what is left by the former path of a moved file its present one, and notes that for the rollback. */
export async function followMove(tx: Db, entity: Entity, origin: Origin): Promise<void> {
  const { pluginId, path, formerPath, installId } = origin
  if (formerPath === null) return
  const left = sql`p.plugin_id = ${pluginId}::text and p.entity = ${entity.name}::text and p.path = ${formerPath}::text`
  await tx.execute(sql`with c as (
      insert into ${pluginChanges} (install_id, entity, key, change, remembered)
      select ${installId}::bigint, p.entity, p.key, 'unchanged', to_jsonb(p.*) from ${pluginRecords} as p where ${left}
      on conflict do nothing
    )
    update ${pluginRecords} as p set path = ${path}::text where ${left}`)
}
