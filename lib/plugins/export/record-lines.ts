import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { CopyQuery } from '@/lib/db/copy-out'
import { tableSql } from '@/lib/db/identifiers'
import { entities, schemas } from '@/lib/db/schema'
import { type Entity, isNumberKind } from '@/lib/definitions/definition'
import { driftSql } from '@/lib/plugins/lifecycle/drift-sql'
import { keySql } from '@/lib/plugins/lifecycle/record-sql'
import { SCHEMA_NAME, VERSION } from '@/lib/registry/definition-version'
import { type SearchTarget, type TargetField, targetOf } from '@/lib/registry/target'
import { checkedProperties } from '@/lib/rows/record-schema'
import { fromSql, type Join } from '@/lib/search/joins'
import { recordJson } from '@/lib/search/record-json'
import type { Resolved } from '@/lib/search/resolved'
import { whereSql } from '@/lib/search/to-sql'

/** An entity and the conditions that its exported records meet. */
export type ExportedEntity = {
  entity: Entity
  where: Resolved[]
  joins: Join[]
  /** Only records that differ from what this plugin gave. */
  changedOf?: string
}

/** The text between the parts of a line; JSON has no such character. */
export const SEPARATOR = '\t'

/**
 * The records of all entities by one statement, so that they are of the same moment, in the order of
 * the entities and their keys: each line is the entity's index, a tab, and the record. The first line
 * has the versions of the definitions at that moment, as `versionsOf` gives them.
 */
export function exportLines(exported: readonly ExportedEntity[]): CopyQuery {
  const width = Math.max(...exported.map(({ entity }) => entity.keys.length))
  const order = keyTerms(width).map(({ number, text }) => sql`${number}, ${text} collate "C"`)
  const parts = [versionLine(exported, width), ...exported.map((one, at) => lines(one, at, width))]
  const query = sql`
    select "line" as c0 from (${sql.join(parts, sql` union all `)}) as "$lines"
    order by "$entity", ${sql.join(order, sql`, `)}`
  return { query, width: 1, format: 'json' }
}

/** The versions of the definitions that the entities were read with. */
export const versionsOf = (exported: readonly ExportedEntity[]): string =>
  exported
    .map(({ entity }) => `${entity.name} ${entity.version ?? ''}`)
    .sort((a, b) => (a < b ? -1 : 1))
    .join()

function versionLine(exported: readonly ExportedEntity[], width: number): SQL {
  const names = exported.map(({ entity }) => entity.name)
  const version = sql`${entities.name} || ' ' || ${VERSION}`
  const keys = keyTerms(width).map(
    ({ number, text }) => sql`null::numeric as ${number}, null::text as ${text}`,
  )
  return sql`
    select -1 as "$entity",
      (select string_agg(${version}, ',' order by ${version} collate "C") from ${entities}
        left join ${schemas} on ${eq(schemas.name, SCHEMA_NAME)}
        where ${inArray(entities.name, names)}) as "line", ${sql.join(keys, sql`, `)}`
}

function lines(exported: ExportedEntity, at: number, width: number): SQL {
  const { entity } = exported
  const target = targetOf(entity)
  const keys = keyTerms(width).map((_, part) => {
    const field = target.fields.find(({ name }) => name === entity.keys[part])
    if (!field) return sql`null, null`
    const column = sql.identifier(field.column)
    return isNumberKind(field.kind) ? sql`${column}::numeric, null` : sql`null, ${column}::text`
  })
  return sql`
    select ${sql.raw(String(at))}, ${`${at}${SEPARATOR}`}::text || ${recordLine(entity, target)}, ${sql.join(keys, sql`, `)}
    from (${matching(exported, target)}) as "$row"`
}

function matching({ entity, where, joins, changedOf }: ExportedEntity, target: SearchTarget): SQL {
  if (changedOf === undefined)
    return sql`select * from ${fromSql(target, joins)} where ${whereSql(where)}`
  const changed = sql`select d.key from (${driftSql(entity, changedOf)}) as d where d.change <> 'deleted'`
  return sql`select t.* from ${tableSql(entity.table)} as t where ${keySql(entity, 't')} in (${changed})`
}

/** The fields that an archive can state: without the id, and without what the engine itself writes. */
function recordLine(entity: Entity, target: SearchTarget): SQL {
  const settable = new Set(checkedProperties(entity).map(({ name }) => name))
  const fields = target.fields
    .filter(({ name }) => settable.has(name))
    .map((field) => ({ type: 'field' as const, field: { ...withScale(field), path: [] } }))
  const declared = recordJson(target, fields)
  if (target.extraColumn === null) return declared
  const names = sql.join(
    target.fields.map(({ name }) => sql`${name}::text`),
    sql`, `,
  )
  const extra = sql`(${sql.identifier(target.extraColumn)} - array[${names}])`
  const end = sql`case when ${extra} <> '{}' then ',' || substr((${extra})::text, 2) else '}' end`
  return sql`(left(${declared}, -1) || ${end})`
}

/** Decimals that end in zeros, as texts: numbers lose those when they are read. */
function withScale(field: TargetField): TargetField {
  if (field.kind !== 'decimal') return field
  const column = `"${field.column.replaceAll('"', '""')}"`
  const expression = `case when scale(${column}) > min_scale(${column}) then to_json(${column}::text) else to_json(${column}) end`
  return { ...field, kind: 'json', expression }
}

const keyTerms = (width: number) =>
  Array.from({ length: width }, (_, part) => ({
    number: sql.identifier(`$n${part}`),
    text: sql.identifier(`$t${part}`),
  }))
