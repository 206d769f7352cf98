import { sql } from 'drizzle-orm'
import { tableSql, textArray } from '@/lib/db/identifiers'
import { pluginRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { Drift } from '@/lib/plugins/drift-contract'
import { imageSql, keySql } from './record-sql'
import { stageRecords } from './stage-records'

type Keys = readonly string[]

/** Makes what is stored count as given by the plugin. */
export async function adoptRecords(
  tx: Db,
  entity: Entity,
  pluginId: string,
  change: Drift['change'],
  keys: Keys,
): Promise<void> {
  const own = sql`p.plugin_id = ${pluginId}::text and p.entity = ${entity.name}::text`
  const chosen = textArray(keys)
  const hasKey = sql`${keySql(entity, 't')} = any(${chosen})`
  const { table } = await stageRecords(tx, entity, hasKey)
  const record = sql`${tableSql(table)} as t`
  const image = imageSql(entity, 't')
  if (change === 'deleted')
    await tx.execute(sql`delete from ${pluginRecords} as p where ${own} and p.key = any(${chosen})`)
  if (change === 'edited')
    await tx.execute(sql`update ${pluginRecords} as p set base = case when p.created_by is null
        then (select jsonb_object_agg(k, coalesce(${image} -> k, 'null')) from jsonb_object_keys(p.base) as k)
        else ${image} end
      from ${record} where ${own} and p.key = any(${chosen}) and ${keySql(entity, 't')} = p.key`)
  if (change === 'added')
    await tx.execute(sql`insert into ${pluginRecords} (plugin_id, entity, key, path, base)
      select ${pluginId}::text, ${entity.name}::text, ${keySql(entity, 't')},
        (select max(p.path) from ${pluginRecords} as p where ${own}), ${image}
      from ${record} where ${hasKey} on conflict do nothing`)
}
