import { type SQL, sql } from 'drizzle-orm'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import { type TrashBatchRow, type TrashProblem, trashRecords } from '@/lib/db/schema'
import { affectedRows, type Db, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { directLinks } from '@/lib/records/deletion-links'
import { BEFORE, type KeptEdit } from '@/lib/records/kept-edits'
import { keptFields } from '@/lib/records/kept-imports'
import { holdOnNodes, staying } from '@/lib/records/removed-keys'
import { rowsThatMay } from '@/lib/records/rows-that-may'
import type { WriteRule } from '@/lib/records/write-rule'
import { beginPreparation, tooSlowToMatch } from '@/lib/rows/prepare-records'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { columnList } from '@/lib/rows/record-columns'
import type { JsonObject } from '@/lib/values/json'
import { problemSql, recordProblems } from './restored-rows'
import { notFitting, type Problems, sinceThen } from './write-back'

/** The keys of records that an import created; one that no longer is a key becomes a problem. */
export async function prepareKeys(
  entity: Entity,
  edits: readonly KeptEdit[],
  problems: Problems,
): Promise<PreparedRow[]> {
  const exceeded = () => new AppError('invalid_input', tooSlowToMatch('one undo', 'records'))
  const preparation = beginPreparation(entity, 'update', { matchingMs: 1_000, exceeded })
  const rows: PreparedRow[] = []
  await preparation.add(
    edits.map(({ key }) => key),
    (row) => rows.push(row),
  )
  const valid = new Set(rows.map(({ index }) => index))
  for (const [index, edit] of edits.entries())
    if (!valid.has(index)) problems.set(edit.id, notFitting({ ...edit, after: edit.key }))
  return rows
}

/**
 * Whether a record is another now than the import made it. A field that was declared since counts once it has another
 * value than its default.
 */
export function sinceCreated(
  entity: Entity,
  { properties }: Pick<TrashBatchRow, 'properties'>,
  edit: KeptEdit,
  present: JsonObject,
): TrashProblem | null {
  const known = new Set([...properties.map(({ name }) => name), ...Object.keys(edit.after)])
  const isKept = keptFields(entity)
  const added = Object.keys(present).filter((name) => isKept(name) && !known.has(name))
  const presets = added.map((name) => {
    const property = entity.properties.find((one) => one.name === name)
    return [name, property?.rules.default ?? null] as const
  })
  return sinceThen({ ...edit, after: { ...edit.after, ...Object.fromEntries(presets) } }, present)
}

type Removal = { entity: Entity; batch: TrashBatchRow; rule: WriteRule | null }

const GOING = sql.identifier('engine_imported')
const HELD = sql.identifier('engine_held')

/**
 * Removes the records that an import created and that have no known problem, with what the trash has of them; not those to which
 * others refer that stay: in the `last` round that is their problem. Returns their number. Throws `forbidden`.
 */
export async function removeImported(
  tx: Db,
  { entity, batch, rule }: Removal,
  { isLast }: { isLast: boolean },
): Promise<number> {
  const { table, keys, isDistributed } = entity
  if (isDistributed) {
    await tx.execute(sql`select ${ONE_AFTER_THE_OTHER}`)
    await holdOnNodes(tx, entity)
  }
  const list = columnList(keys)
  await collectKeys(tx, entity, batch)
  const isReferred = await holdReferred(tx, entity)
  if (isReferred && isLast) {
    const problem = problemSql('still-referenced', [], sql`'null'::jsonb`)
    await recordProblems(tx, batch.id, sql`select "$id", ${problem} as problem from ${HELD}`)
  }
  const may = rule ? sql` and ${rowsThatMay(rule).where}` : sql``
  const removed = await affectedRows(
    tx,
    sql`delete from ${tableSql(table)} where (${list}) in (select ${list} from ${GOING})${may}`,
  )
  const forgotten = await affectedRows(
    tx,
    sql`delete from ${trashRecords} where batch_id = ${batch.id}::uuid and id in (select "$id" from ${GOING})`,
  )
  await tx.execute(sql`drop table ${GOING}, ${HELD}`)
  if (removed === forgotten) return removed
  throw new AppError('forbidden', `Policies let you delete other records of "${entity.name}" only`)
}

async function collectKeys(tx: Db, { table, keys }: Entity, batch: TrashBatchRow): Promise<void> {
  const values = sql.join(
    keys.map((key) => sql`${key}::text, "$record".data -> ${key}::text`),
    sql`, `,
  )
  await tx.execute(
    sql`create temporary table ${GOING} on commit drop as
      select "$record".id as "$id", ${keyColumns('$state', keys)} from ${trashRecords} as "$record"
      cross join lateral jsonb_populate_record(null::${tableSql(table)}, jsonb_build_object(${values})) as "$state"
      where "$record".batch_id = ${batch.id}::uuid and "$record".problem is null
        and "$record".data -> ${BEFORE}::text = 'null'::jsonb`,
  )
  await tx.execute(
    sql`create temporary table ${HELD} on commit drop as select "$id" from ${GOING} where false`,
  )
}

/** Takes those out to which records refer that stay, until there are none. Returns whether there were some. */
async function holdReferred(tx: Db, entity: Entity): Promise<boolean> {
  const links = await directLinks(tx, entity)
  const removed = new Map([[entity.name, sql`${GOING}`]])
  const { table, keys } = entity
  for (const { from } of links) await holdOnNodes(tx, from)
  let [all, found] = [0, 0]
  do {
    found = 0
    for (const link of links) {
      const referred = sql`select ${keyColumns('$row', link.columns)} from ${tableSql(link.from.table)} as "$row"
        where ${staying(link, removed)}`
      const held = sql`select ${columnList(keys)} from ${tableSql(table)} where (${columnList(link.fields)}) in (${referred})`
      await tx.execute(
        sql`insert into ${HELD} select "$id" from ${GOING} where (${columnList(keys)}) in (${held})`,
      )
      found += await affectedRows(
        tx,
        sql`delete from ${GOING} where "$id" in (select "$id" from ${HELD})`,
      )
    }
    all += found
  } while (found > 0)
  return all > 0
}

const keyColumns = (alias: string, names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql`${sql.identifier(alias)}.${sql.identifier(name)}`),
    sql`, `,
  )
