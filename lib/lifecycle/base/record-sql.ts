import { type SQL, sql } from 'drizzle-orm'
import type { PlannedFile } from '@/lib/archives/plugin-file'
import { pluginRecords, type RecordConflict } from '@/lib/db/schema'
import { type Db, rows, tableSql, textArray } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN, type Property } from '@/lib/definitions/definition'
import { type Decider, deciderOf } from '@/lib/installs/decisions'
import type { OnDeleted, OnRemoved, Original } from '@/lib/installs/install-request'
import type { DataContext } from '@/lib/installs/points'
import { KINDS } from '@/lib/kinds/kinds'
import { targetOf } from '@/lib/registry/target'
import { defaultsOf } from '@/lib/rows/compiled-entity'
import { hasKeyOf, recordset } from '@/lib/rows/record-columns'
import { checkedProperties } from '@/lib/rows/record-schema'
import { oidOf } from '@/lib/rows/table-constraints'
import { formatted, idSql } from '@/lib/search/record-json'

const column = (alias: string, name: string): SQL =>
  sql`${sql.identifier(alias)}.${sql.identifier(name)}`

/** The `persistenceId` of the row with this alias. */
export function keySql(entity: Entity, alias: string): SQL {
  const [only] = entity.keys
  if (only !== undefined && entity.keys.length === 1) return sql`${column(alias, only)}::text`
  const keys = entity.keys.map((key) => column(alias, key))
  return sql`(select ${idSql(targetOf(entity))} from (select ${sql.join(keys, sql`, `)}) as "$k")`
}

/**
 * The relation `p` of what is remembered of the record with this key, for a `join … on true`. It is looked up by key, whatever the
 * statistics say: while they are missing, PostgreSQL would rather read all that the plugin gave.
 */
export const rememberedSql = (entity: Entity, pluginId: string, key: SQL): SQL =>
  sql`lateral (select r.* from ${pluginRecords} as r where r.entity = ${entity.name}::text and r.key = ${key}
    and r.plugin_id = ${pluginId}::text offset 0) as p`

export type FilePaths = Pick<Origin, 'pluginId' | 'path'> & Partial<Pick<Origin, 'formerPath'>>

/** Whether the file gave the record that `p` remembers, by its path or the one that it had before. */
export function ofFile(
  { pluginId, path, formerPath }: FilePaths,
  { name }: Pick<Entity, 'name'>,
): SQL {
  const isPath = formerPath
    ? sql`p.path in (${path}::text, ${formerPath}::text)`
    : sql`p.path = ${path}::text`
  return sql`p.plugin_id = ${pluginId}::text and ${isPath} and p.entity = ${name}::text`
}

/**
 * A query of the keys that the file gave before, but for those that the query `others` returns. Not `not in`, which compares each
 * with each as soon as the others exceed `work_mem`, nor a join, which does so where statistics are missing.
 */
export const formerKeysBut = (entity: Entity, origin: Origin, others: SQL): SQL =>
  sql`select p.key from ${pluginRecords} as p where ${ofFile(origin, entity)} except ${others}`

/** `plugin_records`, for a join with the entity's table: the nodes of a cluster join their tables with subqueries alone. */
export const recordsOf = ({ name, isDistributed }: Entity): SQL =>
  isDistributed
    ? sql`(select * from ${pluginRecords} as r where r.entity = ${name}::text offset 0)`
    : sql`${pluginRecords}`

/** A value as responses show it, in JSON; never SQL's null. */
export const valueJson = ({ kind }: Property, value: SQL): SQL =>
  sql`coalesce(to_jsonb(${formatted(kind, value)}), 'null')`

/** The row with this alias as one JSON object: all fields that can be set, undeclared ones included. */
export const imageSql = (entity: Entity, alias: string): SQL =>
  sql`(${fieldsJson(entity, checkedProperties(entity), alias)} || coalesce(${column(alias, EXTRA_COLUMN)}, '{}'))`

/** The fields of the row with this alias as a JSON object. */
export function fieldsJson(
  { isDistributed }: Entity,
  properties: readonly Property[],
  alias: string,
): SQL {
  if (properties.length === 0) return sql`'{}'::jsonb`
  const fields = properties.map(({ kind, name }) => ({
    name,
    value: formatted(kind, column(alias, name)),
  }))
  return isDistributed ? builtObject(fields) : rowObject(fields)
}

type Field = { name: string; value: SQL }

const rowObject = (fields: Field[]): SQL => {
  const columns = fields.map(({ name, value }) => sql`${value} as ${sql.identifier(name)}`)
  return sql`(select to_jsonb("$r") from (select ${sql.join(columns, sql`, `)}) as "$r")`
}

/** Functions take at most 100 arguments. */
const FIELDS_A_CALL = 50

/** A third slower, and of no subquery without a table, which the nodes of a cluster don't take. */
function builtObject(fields: Field[]): SQL {
  const objects: SQL[] = []
  for (let from = 0; from < fields.length; from += FIELDS_A_CALL) {
    const pairs = fields
      .slice(from, from + FIELDS_A_CALL)
      .map(({ name, value }) => sql`${name}::text, ${value}`)
    objects.push(sql`jsonb_build_object(${sql.join(pairs, sql`, `)})`)
  }
  return sql`(${sql.join(objects, sql` || `)})`
}

/**
 * Whether a value is the one in `base`, which may have been written in an earlier type of the field. A
 * field that `base` lacks had no value, or the default of a column that was added since; one without a
 * value has the default since it is required.
 */
export function isBaseValue(entity: Entity, property: Property, value: SQL, base: SQL): SQL {
  const name = sql`${property.name}::text`
  const json = valueJson(property, value)
  const text = sql`(${json} #>> '{}')`
  const former = sql`(${base} ->> ${name})`
  const alternatives = [
    sql`${json} = ${base} -> ${name}`,
    sql`coalesce(${text} = ${former}, false)`,
  ]
  if (KINDS[property.kind].comparedAs === 'timestamptz')
    alternatives.push(sql`coalesce(${text} = ${former} || 'T00:00:00.000Z', false)`)
  const fallback = defaultsOf(entity).get(property.name)
  const isMade = fallback === undefined || property.rules.generates !== undefined
  const isDefault = sql`${json} = ${JSON.stringify(isMade ? null : fallback)}::text::jsonb`
  const isEmpty = isMade ? sql`${value} is null` : sql`(${value} is null or ${isDefault})`
  if (property.rules.required && !isMade)
    alternatives.push(sql`(${base} -> ${name} = 'null' and ${isDefault})`)
  return sql`case when ${base} ? ${name} then (${sql.join(alternatives, sql` or `)}) else ${isEmpty} end`
}

/**
 * Whether the row with this alias is as `base` has it, undeclared fields included. Columns keep the fields that are
 * no longer declared.
 */
export function isUntouched(entity: Entity, alias: string, base: SQL): SQL {
  const properties = checkedProperties(entity)
  const same = properties.map((property) =>
    isBaseValue(
      entity,
      property,
      sql`${sql.identifier(alias)}.${sql.identifier(property.name)}`,
      base,
    ),
  )
  const names = textArray(properties.map(({ name }) => name))
  const extra = sql`coalesce(${sql.identifier(alias)}.${sql.identifier(EXTRA_COLUMN)}, '{}') - ${names}`
  const rest = sql`(${base} - ${names})`
  const columns = sql`array(select attname::text from pg_attribute where attrelid = ${oidOf(entity.table)} and attnum > 0 and not attisdropped)`
  const isHeld = sql`(${extra} = ${rest} - ${columns} and not (${extra}) ?| ${columns}
    and to_jsonb(${sql.identifier(alias)}.*) || (${extra}) @> ${rest})`
  return sql`(${sql.join([...same, sql`(${extra} = ${rest} or ${isHeld})`], sql` and `)})`
}

/**
 * A relation with the stored records that have the keys of the JSON rows, to be joined with what plugins gave. Of an entity on
 * the nodes of a cluster they are read first, as nodes take no part in statements that write to other tables.
 */
export async function storedRelation(db: Db, entity: Entity, json: string): Promise<SQL> {
  if (!entity.isDistributed) return tableSql(entity.table)
  return relationOf(
    db,
    entity,
    sql`${tableSql(entity.table)} as t, ${recordset(entity, json, entity.keys)} where ${hasKeyOf(entity, json)}`,
  )
}

/** The records that `source` selects as `t`, as a relation that only the coordinator has. */
async function relationOf(db: Db, { table }: Entity, source: SQL): Promise<SQL> {
  const found = await rows<{ record: string }>(
    db,
    sql`select row_to_json(t.*)::text as record from ${source}`,
  )
  const json = `[${found.map(({ record }) => record).join(',')}]`
  return sql`json_populate_recordset(null::${tableSql(table)}, ${json}::text::json)`
}

/** Where records come from: a data file of a plugin, in any version of its archive. */
export type Origin = {
  pluginId: string
  /** In the plugin's folder. */
  path: string
  /** The path that the file had before, if that was another one. */
  formerPath: string | null
  /** Of this install; later than all of them in a dry run, which remembers on copies. */
  installId: number
  conflicts: Decider
  removed: OnRemoved
  deleted: OnDeleted
  /** In a dry run, the table of which the entity's has only a part. */
  original?: Original | undefined
  /** Sees each conflict. */
  recordConflict: (conflict: RecordConflict) => void
}

export const originOf = (context: DataContext): Origin => {
  const { file } = context
  return {
    pluginId: context.pluginId,
    path: pathIn(file),
    formerPath: file.formerPath ?? null,
    installId: context.installId ?? DRY_RUN_ID,
    conflicts: deciderOf(
      context.onConflict ?? file.onConflict ?? 'keep',
      context.decisions?.[file.target ?? ''],
    ),
    removed: context.removed ?? 'keep',
    deleted: context.deleted ?? 'keep',
    original: context.originalOf?.(file.target ?? ''),
    recordConflict: (conflict) => context.onConflictFound?.(file, conflict),
  }
}

/** In the plugin's folder. */
export const pathIn = ({ path, root }: Pick<PlannedFile, 'path' | 'root'>): string =>
  path.slice(root.length)

const DRY_RUN_ID = Number.MAX_SAFE_INTEGER
