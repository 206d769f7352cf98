import { type SQL, sql } from 'drizzle-orm'
import { pluginChanges, pluginRecords } from '@/lib/db/schema'
import { type Db, rows, tableSql, textArray } from '@/lib/db/sql'
import {
  type Entity,
  EXTRA_COLUMN,
  type Property,
  type TableName,
} from '@/lib/definitions/definition'
import { type Decider, takesSql } from '@/lib/installs/decisions'
import { singleRecord } from '@/lib/rows/record-columns'
import { checkedProperties } from '@/lib/rows/record-schema'
import { storedReferences } from '@/lib/tables/stored-references'
import { imageSql, keySql } from '../base/record-sql'
import { type RecordedKind, recordedDefinitions } from '../changes/record-definitions'

/** An install to be undone, the one that undoes it, and what decides about edits made since. */
export type Undo = {
  pluginId: string
  installId: number
  /** Whether the one to be undone is a rollback itself. */
  ofRollback: boolean
  /** Whether it noted how it left records that the plugin did not give. */
  hasLeft: boolean
  as: number
  deciders: (entity: string) => Decider
}

type Named = Pick<Entity, 'name'>

export const ofPlugin = ({ name }: Named, { pluginId }: Undo): SQL =>
  sql`p.plugin_id = ${pluginId}::text and p.entity = ${name}::text`

export const changesOf = ({ name }: Named, { installId }: Undo): SQL =>
  sql`c.install_id = ${installId}::bigint and c.entity = ${name}::text`

/** The relation `n` of one record, from the JSON of a row. */
export const recordOf = (entity: Entity, row: SQL): SQL =>
  singleRecord(entity, sql`${row}::text`, [
    ...entity.properties.map(({ name }) => name),
    EXTRA_COLUMN,
  ])

/** In the notes of an install: the record as it left it, in the form of a base. */
export const LEFT = '$left'

/**
 * The relation `p` of records as the install left them: what the plugin gave, or what was noted. For a
 * rollback, which may have left anything, notes come first.
 */
export function leftBy(entity: Entity, undo: Undo): SQL {
  const remembered = sql`(select p.key, p.base, p.created_by from ${pluginRecords} as p where ${ofPlugin(entity, undo)}) as p`
  if (!undo.hasLeft) return remembered
  const left = sql`(select c.key, c.before -> ${LEFT}::text as base from ${pluginChanges} as c
    where ${changesOf(entity, undo)} and c.before ? ${LEFT}::text) as l`
  const base = undo.ofRollback ? sql`coalesce(l.base, p.base)` : sql`coalesce(p.base, l.base)`
  return sql`(select coalesce(l.key, p.key) as key, ${base} as base,
      case when l.key is null or ${!undo.ofRollback}::boolean and p.key is not null then p.created_by else 0 end as created_by
    from ${remembered} full join ${left} on l.key = p.key) as p`
}

/** Whether the install noted how it left records. */
export async function hasLeft(tx: Db, installId: number): Promise<boolean> {
  const query = sql`select from ${pluginChanges} where install_id = ${installId}::bigint and before ? ${LEFT}::text limit 1`
  return (await rows(tx, query)).length > 0
}

/** Notes how a rollback leaves the records that it changed or created again. */
export const recordLeft = (entity: Entity, { as }: Undo): SQL =>
  sql`update ${pluginChanges} as c set before = coalesce(c.before, '{}') || jsonb_build_object(${LEFT}::text, ${imageSql(entity, 't')})
    from ${tableSql(entity.table)} as t where c.install_id = ${as}::bigint and c.entity = ${entity.name}::text
      and c.change in ('updated', 'created') and ${keySql(entity, 't')} = c.key`

/** Whether the edit of the record with this key is lost. */
export const isLost = ({ name }: Pick<Entity, 'name'>, { deciders }: Undo, key: SQL): SQL =>
  takesSql(deciders(name), key)

/** The records that the install created and that are stored: `p`, `t`. */
export const createdRecords = (entity: Entity, undo: Undo): SQL =>
  sql`${leftBy(entity, undo)} join ${tableSql(entity.table)} as t on ${keySql(entity, 't')} = p.key
    where (p.created_by = ${undo.installId}::bigint or exists (
      select from ${pluginChanges} as c where ${changesOf(entity, undo)} and c.key = p.key and c.change = 'created'))`

/** All that are not part of the key. */
export const fieldsOf = (entity: Entity): Property[] =>
  checkedProperties(entity).filter(({ name }) => !entity.keys.includes(name))

/** The undeclared fields of the row with this alias. */
export const extra = (alias: string): SQL =>
  sql`coalesce(${sql.identifier(alias)}.${sql.identifier(EXTRA_COLUMN)}, '{}')`

export const declared = (entity: Entity): SQL =>
  textArray(checkedProperties(entity).map(({ name }) => name))

/**
 * Each entity before those that it refers to: once its records are rolled back, they refer to those of the other no longer.
 * Foreign keys between different entities form no cycle.
 */
export async function referringFirst(tx: Db, entities: readonly Entity[]): Promise<Entity[]> {
  const references = await storedReferences(tx)
  const ordered = new Set<Entity>()
  const visit = (entity: Entity) => {
    if (ordered.has(entity)) return
    for (const { table, reference } of references) {
      if (!isSame(reference.target, entity.table) || isSame(table, entity.table)) continue
      const from = entities.find((one) => isSame(one.table, table))
      if (from) visit(from)
    }
    ordered.add(entity)
  }
  for (const entity of entities) visit(entity)
  return [...ordered]
}

/**
 * Those whose records can return before definitions are as before, as neither their own ones change nor those of entities
 * that they refer to: records that are changed back may refer to these.
 */
export async function returningFirst(
  tx: Db,
  { installId }: Undo,
  entities: readonly Entity[],
): Promise<Entity[]> {
  const noted = await recordedDefinitions(tx, installId)
  const names = new Set(noted.map(({ kind, name }) => idOf(kind, name)))
  const references = await storedReferences(tx)
  const targetsFirst = (await referringFirst(tx, entities)).toReversed()
  const found: Entity[] = []
  for (const entity of targetsFirst) {
    const { name, table, definition } = entity
    const targets = targetsFirst.filter((to) =>
      references.some(
        (one) =>
          isSame(one.table, table) && to !== entity && isSame(one.reference.target, to.table),
      ),
    )
    const isAsBefore =
      !names.has(idOf('entity', name)) &&
      !names.has(idOf('schema', definition.engineSchema ?? name))
    if (isAsBefore && targets.every((to) => found.includes(to))) found.push(entity)
  }
  return found
}

const idOf = (kind: RecordedKind, name: string) => `${kind} ${name.toLowerCase()}`

/** The fields by which records of the entity refer to others of it. */
export async function ownReferences(tx: Db, { table }: Entity): Promise<Set<string>> {
  const found = await storedReferences(tx, table)
  const own = found.filter((one) => isSame(one.table, table))
  return new Set(own.flatMap(({ reference }) => reference.columns))
}

const isSame = (a: TableName, b: TableName) => a.schema === b.schema && a.name === b.name
