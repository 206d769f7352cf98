import { type SQL, sql } from 'drizzle-orm'
import { pluginChanges, pluginRecords } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Property } from '@/lib/definitions/definition'
import { isTextKind } from '@/lib/kinds/kind'
import { compositeId } from '@/lib/registry/composite-id'
import type { ArchivePosition } from './archive-position'
import { jsonFits, jsonToColumn } from './cast-sql'
import { changeTables } from './change-tables'
import { sqlTypeOf } from './column-spec'
import { type DefineOutcome, saveEntity } from './definition-transaction'
import { followTypes } from './follow-types'
import type { TableChange } from './plan-change'
import { followRenames } from './renames/follow-renames'
import { settlePending } from './settle-pending'

/**
 * Saves the changes of one definition and carries them out, with all that follows from them: names and types
 * in other definitions, foreign keys, keys of remembered records. Throws as `changeTables` does.
 */
export async function applyChanges(
  tx: Db,
  changes: readonly TableChange[],
  position: ArchivePosition | undefined,
): Promise<Pick<DefineOutcome, 'steps' | 'notes' | 'followed'>> {
  await settlePending(tx, { entities: changes.flatMap(namesOf) })
  for (const change of changes) await saveEntity(tx, change)
  const followed = await followRenames(tx, changes)
  const { changes: followers, former } = await followTypes(tx, changes, position?.schemas)
  await settlePending(tx, { entities: followers.flatMap(namesOf) })
  for (const change of [...changes, ...followers]) await followRecordKeys(tx, change)
  const { steps, notes } = await changeTables(tx, changes, { position, followers })
  return { steps, notes: [...followed, ...notes], followed: former }
}

/** None of a new entity: what is remembered by its name was put aside. */
const namesOf = ({ before, after }: TableChange): string[] =>
  before ? [after.name, before.entity.name] : []

/**
 * Changes the `persistenceId`s in what is remembered of the records that plugins gave, where another name
 * or type of a part of the key changes them. What is remembered must have the new names already.
 */
async function followRecordKeys(tx: Db, change: TableChange): Promise<void> {
  const { name, keys, properties } = change.after
  if (!changesIds(change)) return
  const parts = keys.flatMap((key) => properties.find((one) => one.name === key) ?? [])
  const present = (json: SQL) =>
    sql`case when ${keyFits(parts, json)} then ${idOf(parts, json)} end`
  const of = sql`entity = ${name}::text`
  const base = sql`remembered -> 'base'`
  await tx.execute(sql`with "$ids" as materialized (
      select distinct on (former) * from (
        select key as former, ${present(sql`base`)} as present from ${pluginRecords} where ${of}
        union all select key, coalesce(${present(sql`before`)}, ${present(sql`(${base})`)}) from ${pluginChanges} where ${of}
      ) as found where present <> former
    ), "$records" as (
      update ${pluginRecords} as p set key = present from "$ids" where ${of} and p.key = former
    )
    update ${pluginChanges} as c set key = present, remembered = case when remembered is null then null
        else remembered || jsonb_build_object('key', present) end
      from "$ids" where ${of} and c.key = former`)
}

const INSTANT = 'timestamp(3) with time zone'

/** A key of one part is its text, which only times have in several forms. */
function changesIds({ before, after, renames }: TableChange): boolean {
  if (!before || before.entity.keys.join() !== after.keys.join()) return false
  const { columns } = before
  const isRenamed = renames?.fields.some(({ to }) => after.keys.includes(to)) ?? false
  const types = after.keys.map((key) => [
    columns.find(({ name }) => name === key)?.sqlType,
    sqlTypeOf(after.properties.find(({ name }) => name === key) ?? NO_PROPERTY),
  ])
  const isRetyped = types.some(([from, to]) => from !== to)
  if (after.keys.length > 1) return isRenamed || isRetyped
  return isRetyped && types.flat().includes(INSTANT)
}

const NO_PROPERTY = { kind: 'text', type: 'string' } as const

const partOf = (json: SQL, { name }: Property): SQL => sql`(${json} -> ${name}::text)`

function keyFits(parts: readonly Property[], json: SQL): SQL {
  const fits = parts.map((part) => {
    const value = partOf(json, part)
    // The text of a number is that number as a text.
    return isTextKind(part.kind)
      ? sql`coalesce(${value} <> 'null', false)`
      : sql`coalesce(${jsonFits(value, part)}, false)`
  })
  return sql`(${sql.join(fits, sql` and `)})`
}

function idOf(parts: readonly Property[], json: SQL): SQL {
  const values = parts.map((part) => jsonToColumn(partOf(json, part), part))
  if (values.length === 1) return sql`(${values[0]})::text`
  const named = parts.map(({ name }, at) => sql`${values[at]} as ${sql.identifier(name)}`)
  return compositeId(
    sql`(select row_to_json("$k")::text from (select ${sql.join(named, sql`, `)}) as "$k")`,
  )
}
