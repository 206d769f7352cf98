import { type SQL, sql } from 'drizzle-orm'
import { auditLog, installs, recordVersions } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { recordNotFound, recordWhere } from '@/lib/records/record-where'
import type { SearchTarget } from '@/lib/registry/target'
import { idSql, recordJson } from '@/lib/search/record-json'
import { fromSql } from '@/lib/search/sql-terms'
import { relationSql } from '@/lib/totals/keep-total'
import type { RecordVersion } from './contract'

export type StoredVersion = {
  id: number
  at: string
  kind: 'insert' | 'update' | 'delete'
  /** Rows as JSON text. */
  data: string | null
  after: string | null
}
export type OriginOfVersion = Pick<RecordVersion, 'by' | 'action' | 'install'>

/** The versions of one record. */
const versionsOf = ({ table }: Entity, id: string): SQL =>
  sql`v.relation = ${relationSql(table)} and v.key_hash = hashtextextended(${id}, 0) and v.key = ${id}`

const COLUMNS = sql`v.id::float8 as "id", to_char(v.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "at",
  v.kind, v.data::text as "data", v.after::text as "after"`

/** Versions newest first, from the one at `offset` on. */
export const selectVersions = (
  db: Db,
  entity: Entity,
  id: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<(StoredVersion & { origin: OriginOfVersion })[]> =>
  rows(
    db,
    sql`select ${COLUMNS}, json_build_object('by', author.by, 'action', author.action, 'install', ${INSTALL}) as "origin"
      from ${recordVersions} as v
      left join lateral (
        select json_build_object('type', a.actor_type, 'name', a.actor_name) as by, a.action
        from ${auditLog} as a where a.change_id = v.change_id
        order by (a.object_type = ${entity.name}) desc, a.id limit 1) as author on true
      left join ${installs} as i on i.id = v.install_id
      where ${versionsOf(entity, id)} order by v.id desc limit ${limit} offset ${offset}`,
  )

const INSTALL = sql`case when i.id is not null then json_build_object('id', i.id, 'kind', i.kind,
  'pluginId', i.plugin_id, 'pluginName', i.plugin_name, 'version', i.version, 'by', i.installed_by) end`

/** A version and the one after it; `EARLIER` names no version, and the oldest comes after it. */
export async function findVersion(
  db: Db,
  entity: Entity,
  id: string,
  version: number,
): Promise<{ found: StoredVersion | null; next: StoredVersion | null }> {
  const some = await rows<StoredVersion>(
    db,
    sql`select ${COLUMNS} from ${recordVersions} as v
      where ${versionsOf(entity, id)} and v.id >= ${version}::bigint order by v.id limit 2`,
  )
  const [first = null, second = null] = some
  return first?.id === version ? { found: first, next: second } : { found: null, next: first }
}

export async function countVersions(db: Db, entity: Entity, id: string) {
  const query = sql`select count(*)::int as "total", (array_agg(v.kind order by v.id))[1] = 'insert' as "isWhole"
    from ${recordVersions} as v where ${versionsOf(entity, id)}`
  return one(await rows<{ total: number; isWhole: boolean | null }>(db, query))
}

/** A record as its row in JSON text, and as it is returned; `id` is the one spelling by which versions name it. */
export type PresentRow = { id: string; row: string; json: string }

/** The record as it is; null when it is not stored. Throws `not_found` for one that is hidden from the reader of `target`. */
export async function presentRow(
  db: Db,
  target: SearchTarget,
  id: string,
): Promise<PresentRow | null> {
  let where: SQL
  try {
    where = recordWhere(target, id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
  const { rule } = target
  const query = sql`select ${idSql(target)} as "id", to_jsonb("$row".*)::text as "row", ${recordJson(target, null)} as "json",
      ${rule?.sql ?? sql`true`} as "isVisible"
    from ${fromSql(target, rule?.joins, { as: '$row' })} where ${where}`
  const [found] = await rows<PresentRow & { isVisible: boolean }>(db, query)
  if (found?.isVisible === false) throw recordNotFound(target.name, id)
  return found ?? null
}
