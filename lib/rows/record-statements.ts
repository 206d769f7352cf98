import { type SQL, sql } from 'drizzle-orm'
import { tableSql, textArray } from '@/lib/db/sql'
import { type Entity, EXTRA_COLUMN, type UpdateStrategy } from '@/lib/definitions/definition'
import { isTextKind } from '@/lib/kinds/kind'
import type { Presence } from './prepared-row'
import {
  columnList,
  hasKeyOf,
  incoming,
  PRESENCE_COLUMN,
  recordset,
  stored,
} from './record-columns'
import { checkedProperties } from './record-schema'

/** The writer and the time, for the audit fields of auditable entities. */
export type Signature = { actorName: string; now: Date }

/** Inserts the JSON rows; `skipExisting` skips those whose key is stored. */
export function insertStatement(
  entity: Entity,
  json: string,
  columns: readonly string[],
  { actorName, now }: Signature,
  skipExisting: boolean,
): SQL {
  const at = sql`${now.toISOString()}::timestamptz`
  const by = sql`${actorName}::text`
  const audit = entity.definition.auditable ? [at, by, at, by] : []
  const auditColumns = entity.definition.auditable
    ? ['CreatedAt', 'CreatedBy', 'LastUpdatedAt', 'LastUpdatedBy']
    : []
  return sql`insert into ${tableSql(entity.table)} (${columnList([...columns, ...auditColumns])})
    select ${sql.join([...columns.map(incoming), ...audit], sql`, `)}
    from ${recordset(entity, json, columns)}
    ${skipExisting ? sql`on conflict (${columnList(entity.keys)}) do nothing ${counted(entity)}` : sql``}`
}

/** Citus takes rows that it skips for inserted, but does not return them. */
const counted = ({ isDistributed }: Entity): SQL => (isDistributed ? sql`returning 1` : sql``)

/** How stored records are changed, besides by whom and when. */
export type Merge = {
  /** Undeclared fields that a merge removes. */
  removed?: readonly string[]
  /** Values of undeclared fields are texts of a file without types: one that reads like the stored value leaves it. */
  isText?: boolean
  /** The part of the stored undeclared fields that a merge keeps; all of them if left out. */
  kept?: SQL
  /** Records that have the values already are changed, too, so that nothing tells which ones have them. */
  writesSame?: boolean
}

/**
 * Changes the stored records that the JSON rows identify by key, where they differ; the others keep
 * their row version, without `writesSame`. Null when nothing can differ.
 */
export function updateStatement(
  entity: Entity,
  json: string,
  presence: Presence,
  strategy: UpdateStrategy,
  { actorName, now, ...merge }: Signature & Merge,
): SQL | null {
  const changes = changesOf(entity, presence, strategy, merge)
  if (changes.length === 0) return null
  const assignments = changes.map(({ name, value }) => sql`${sql.identifier(name)} = ${value}`)
  if (entity.definition.auditable) {
    assignments.push(sql`"LastUpdatedAt" = ${now.toISOString()}::timestamptz`)
    assignments.push(sql`"LastUpdatedBy" = ${actorName}::text`)
  }
  const columns = new Set([...entity.keys, ...changes.map(({ name }) => name)])
  if (strategy === 'Upsert' && presence.some.length > 0) columns.add(PRESENCE_COLUMN)
  return sql`update ${tableSql(entity.table)} as t set ${sql.join(assignments, sql`, `)}
    from ${recordset(entity, json, [...columns])}
    where ${hasKeyOf(entity, json)} and (${merge.writesSame ? sql`true` : sql.join(changes.map(differs), sql` or `)})`
}

/** What a row of the relation `n` changes in the stored row `t`. */
export const changesOf = (
  entity: Entity,
  presence: Presence,
  strategy: UpdateStrategy,
  merge: Merge,
): Change[] => (strategy === 'Replace' ? replacements(entity) : merges(entity, presence, merge))

/** A column and its new value. */
export type Change = { name: string; value: SQL; isText: boolean }

function replacements(entity: Entity): Change[] {
  const columns = checkedProperties(entity).filter(({ name }) => !entity.keys.includes(name))
  const changes = columns.map(({ name, kind, rules }) => ({
    name,
    value: rules.generates ? sql`coalesce(${incoming(name)}, ${stored(name)})` : incoming(name),
    isText: isTextKind(kind),
  }))
  return [...changes, { name: EXTRA_COLUMN, value: incoming(EXTRA_COLUMN), isText: false }]
}

function merges(
  entity: Entity,
  { every, some, extra }: Presence,
  { removed = [], isText = false, kept }: Merge,
): Change[] {
  const texts = new Set(
    entity.properties.filter(({ kind }) => isTextKind(kind)).map(({ name }) => name),
  )
  const isKey = (name: string) => entity.keys.includes(name)
  const always = every.filter((name) => !isKey(name))
  const changes = [
    ...always.map((name) => ({ name, value: incoming(name), isText: texts.has(name) })),
    ...some.map((name) => ({ name, value: incomingOrStored(name), isText: texts.has(name) })),
  ]
  const merged = { name: EXTRA_COLUMN, value: mergedExtra(removed, isText, kept), isText: false }
  return extra || removed.length > 0 || kept ? [...changes, merged] : changes
}

const incomingOrStored = (name: string): SQL =>
  sql`case when n.${sql.identifier(PRESENCE_COLUMN)} ? ${name}::text then ${incoming(name)} else ${stored(name)} end`

const extraOf = (alias: SQL) => sql`coalesce(${alias}, '{}'::jsonb)`
const mergedExtra = (removed: readonly string[], isText: boolean, kept = stored(EXTRA_COLUMN)) => {
  const added = isText ? storedWhereAlike : incoming(EXTRA_COLUMN)
  return sql`nullif((${extraOf(kept)} || ${extraOf(added)}) - ${textArray(removed)}, '{}'::jsonb)`
}
const storedWhereAlike = sql`(select jsonb_object_agg(e.key,
    case when ${stored(EXTRA_COLUMN)} ->> e.key = e.value #>> '{}' then ${stored(EXTRA_COLUMN)} -> e.key else e.value end)
  from jsonb_each(${incoming(EXTRA_COLUMN)}) as e)`

/** Texts are compared by bytes: a collation may consider different texts equal. */
export const differs = ({ name, value, isText }: Change): SQL =>
  isText
    ? sql`${stored(name)} is distinct from (${value}) collate "C"`
    : sql`${stored(name)} is distinct from ${value}`
