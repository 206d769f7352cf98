import { type SQL, sql } from 'drizzle-orm'
import type { Layer } from '@/lib/around'
import { insertAudit } from '@/lib/audit/record-audit'
import { type CompiledStatement, StatementCache } from '@/lib/db/compiled-statement'
import { rows } from '@/lib/db/sql'
import { writeTogether } from '@/lib/db/write-together'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { createdAudit, type InsertShape, insertIncoming } from '@/lib/records/insert-once'
import type { RecordsToInsert } from '@/lib/records/points'
import { isCurrent } from '@/lib/registry/definition-version'
import { targetOf } from '@/lib/registry/target'
import { INDEX_COLUMN, sameKey, singleRecord } from '@/lib/rows/record-columns'
import { idSql, recordJson } from '@/lib/search/record-json'

/**
 * Inserts a record by one statement together with those of other requests that create the same kind of record for the same actor at
 * the same time. It is inserted alone when nothing else was waiting, or one of the group was at fault.
 */
export const createTogether: Layer = {
  name: 'create-together',
  around: {
    insertOnce: async (deps, records, next) => {
      const stored = await insertTogether(deps, records)
      return stored === null ? next(deps) : `[${stored}]`
    },
  },
}

/** Returns the stored record as JSON text; null when nothing was written. Throws when it is not known whether it was written. */
async function insertTogether(
  deps: Deps,
  { entity, plan, insertion }: RecordsToInsert,
): Promise<string | null> {
  const { json, shape } = plan
  const { naming, actor, requestId } = insertion
  const isPlain = shape.isSingle && shape.passed === null && naming === 'single'
  if (!isPlain || entity.version === undefined) return null
  const { type, id, address } = actor
  const kind = ['insert', entity.name, entity.version, shape, type, id, address]
  return writeTogether(deps, kind, { json, requestId }, async (items) => {
    const statement = insertTogetherStatement(entity, shape).with({
      rows: `[${items.map((item) => item.json).join(',')}]`,
      audit: createdAudit(actor, entity, 1),
      requests: JSON.stringify(items.map((item) => item.requestId)),
      at: new Date().toISOString(),
      by: actor.name,
    })
    const found = await rows<{ data: string }>(deps.db, statement)
    return found.length === items.length ? found.map(({ data }) => data) : null // the definition has changed
  })
}

const statements = new StatementCache<Entity>()

/**
 * As the statement of one request, but with an entry in the audit log and a row of `data` for each request, in order. Returns no row
 * when the definition is no longer that of `entity`. Placeholders: `rows`, `audit`, `requests` (a JSON list of their ids), `at`, `by`.
 *
 *     rows, requests  [{"title":"A"}, {"title":"B"}], ["r1", "r2"]
 *     "$incoming"     ('A', 1), ('B', 2)
 *     "$stored"       (8, 'A', …), (9, 'B', …)
 *     "$numbered"     (8, 'A', …, 1), (9, 'B', …, 2)   a counter numbers them in the order of the rows
 *     "$audit"        (r1, 8), (r2, 9)
 */
const insertTogetherStatement = (entity: Entity, shape: InsertShape): CompiledStatement =>
  statements.find(entity, JSON.stringify(shape), () => {
    const target = targetOf(entity)
    const position = sql.identifier(INDEX_COLUMN)
    const ids = sql`(select ${idSql(target)} as "$id", r.value as "$request" from "$numbered"
      join json_array_elements_text(${sql.placeholder('requests')}::text::json) with ordinality as r(value, at)
        on r.at = ${position}) as one`
    const added = { objectId: sql`"$id"`, requestId: sql`"$request"` }
    return sql`with "$incoming" as materialized (
        select n.*, e.at as ${position}
        from json_array_elements(${sql.placeholder('rows')}::text::json) with ordinality as e(value, at),
          ${singleRecord(entity, sql`e.value`, shape.columns)}
        where ${isCurrent(entity)}),
      "$counter" as (select 1),
      "$stored" as (${insertIncoming(entity, shape.columns)} order by n.${position} returning *),
      "$numbered" as (${numbered(entity, shape)}),
      "$audit" as (${insertAudit(sql.placeholder('audit'), ids, added)})
      select ${recordJson(target, null)} as data from "$numbered" order by ${position}`
  })

function numbered(entity: Entity, { lacking }: InsertShape): SQL {
  const position = sql.identifier(INDEX_COLUMN)
  return lacking === null
    ? sql`select t.*, n.${position} from "$stored" as t join "$incoming" as n on ${sameKey(entity)}`
    : sql`select t.*, row_number() over (order by t.${sql.identifier(lacking)}) as ${position} from "$stored" as t`
}
