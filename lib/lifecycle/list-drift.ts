import { sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { pluginRecords } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { getPlugin } from '@/lib/installs/store'
import { mayReadAll, requireReadAll } from '@/lib/registry/may-read'
import { findEntity, listEntities } from '@/lib/registry/registry'
import { settlePending } from '@/lib/tables/settle-pending'
import { type Json, parseJson } from '@/lib/values/json'
import { differingFields, driftSql } from './base/drift-sql'
import type { Drift, DriftQuery } from './contract'

type Request = DriftQuery & { id: string; actor: Actor }
type DriftKey = Omit<Drift, 'fields'>

/**
 * The records of a plugin that differ from what it gave: those of entities that its data files
 * write and that the actor may read. Throws `not_found` when the plugin is not installed, and
 * `forbidden` for an entity that the actor may not read.
 */
export async function listDrift(
  deps: Deps,
  { id, actor, entity: name, change, page, size }: Request,
): Promise<{ data: Drift[]; total: number }> {
  await getPlugin(deps.db, id)
  const written = await entitiesOf(deps, id)
  const asked = name === undefined ? null : await findEntity(deps, name)
  if (asked) requireReadAll(actor, asked, 'The list of differences')
  const shown = written.filter((one) => (asked ? one.name === asked.name : mayReadAll(actor, one)))
  if (shown.length === 0) return { data: [], total: 0 }
  const parts = shown.map((one) => sql`(${driftSql(one, id, change)})`)
  const { total, items } = one(
    await rows<{ total: number; items: DriftKey[] | null }>(
      deps.db,
      sql`with drift as materialized (${sql.join(parts, sql` union all `)})
        select (select count(*)::float8 from drift) as total, (select json_agg(d) from (
          select * from drift order by entity, length(key), key collate "C" limit ${size}::int offset ${page * size}::bigint
        ) as d) as items`,
    ),
  )
  return { data: await withFields(deps.db, id, shown, items ?? []), total }
}

/** The entities of which the plugin's data files gave records. */
export async function entitiesOf(deps: Deps, id: string): Promise<Entity[]> {
  await settlePending(deps.db, { pluginIds: [id] })
  const found = await deps.db
    .selectDistinct({ name: pluginRecords.entity })
    .from(pluginRecords)
    .where(sql`${pluginRecords.pluginId} = ${id}`)
  const names = new Set(found.map(({ name }) => name))
  const entities = (await listEntities(deps)).filter(({ name }) => names.has(name))
  return entities.sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function withFields(
  db: Db,
  id: string,
  entities: readonly Entity[],
  found: readonly DriftKey[],
): Promise<Drift[]> {
  const fields = new Map<string, Drift['fields']>()
  for (const entity of entities) {
    const keys = found.flatMap(({ entity: name, change, key }) =>
      name === entity.name && change === 'edited' ? [key] : [],
    )
    if (keys.length === 0) continue
    for (const row of await rows<{ key: string; fields: string }>(
      db,
      differingFields(entity, id, keys),
    ))
      fields.set(
        `${entity.name}\n${row.key}`,
        parseJson(row.fields, { exactly: true }) as Drift['fields'] & Json,
      )
  }
  return found.map((one) => ({ ...one, fields: fields.get(`${one.entity}\n${one.key}`) ?? [] }))
}
