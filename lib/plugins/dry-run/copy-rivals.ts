import { type SQL, sql } from 'drizzle-orm'
import type { CopyOut } from '@/lib/db/copy-out'
import { tableSql } from '@/lib/db/identifiers'
import { rows as query } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity, TableName } from '@/lib/definitions/definition'
import type { Origin } from '@/lib/plugins/lifecycle/origin'
import { keySql } from '@/lib/plugins/lifecycle/record-sql'
import { goneSql } from '@/lib/plugins/lifecycle/remove-gone'
import { defaultsOf } from '@/lib/records/compiled-entity'
import { jsonChunks, wholeEncoder } from '@/lib/records/json-chunks'
import { keyReader } from '@/lib/records/packed-row'
import type { PreparedRow } from '@/lib/records/prepared-row'
import { columnList, recordset, refersTo, sameValues } from '@/lib/records/record-columns'
import { readConstraints } from '@/lib/records/table-constraints'
import type { Reference } from '@/lib/tables/plan-references'
import { toSql } from '@/lib/tables/step-to-sql'
import { storedReferences } from '@/lib/tables/stored-references'
import { carryMissing } from './carry-records'
import { copyReference } from './copy-entity'
import type { Shadowed } from './open-shadow'

/**
 * Copies the stored records that writing `rows` may conflict with, where an entity is copied only in
 * part: those with one of their keys or unique values, and those that these or the rows refer to.
 */
export async function copyRivals(
  tx: Db,
  copyOut: CopyOut,
  target: Shadowed,
  all: ReadonlyMap<string, Shadowed>,
  rows: readonly PreparedRow[],
): Promise<void> {
  const { entity } = target
  const { unique, foreign } = await readConstraints(tx, entity)
  const referred = foreign.flatMap(({ columns, targets, table }) => {
    const of = [...all.values()].find((one) => isSame(one.entity.table, table))
    return of?.isPartial ? [{ of, columns, targets }] : []
  })
  if (!target.isPartial && referred.length === 0) return
  const needs: Need[] = target.isPartial
    ? unique.map(({ columns }) => ({ of: target, columns, where: sameValues(columns) }))
    : []
  for (const { of, columns, targets } of referred)
    needs.push({ of, columns, where: refersTo(columns, targets) })
  const filled = [target, ...referred.map(({ of }) => of)].filter(({ isPartial }) => isPartial)
  const references = await dropReferences(tx, filled)
  for (const { of, columns, where } of needs)
    for (const { json } of jsonChunks([...rows], wholeEncoder(defaultsOf(entity)))) {
      const isMet = sql`exists (select 1 from ${recordset(entity, json, columns)} where ${where})`
      await carryMissing(tx, copyOut, of, isMet)
    }
  for (const { of, columns, targets } of referred)
    for (const json of await referredKeys(tx, entity, columns)) {
      const isMet = sql`exists (select 1 from ${recordset(entity, json, columns)} where ${refersTo(columns, targets)})`
      await carryMissing(tx, copyOut, of, isMet)
    }
  for (const reference of references) await copyReference(tx, reference)
}

const KEYS_A_STATEMENT = 20_000

/** What the copied records refer to by these columns, as lists in JSON. */
async function referredKeys(tx: Db, { table }: Entity, columns: readonly string[]) {
  const list = columnList(columns)
  const keys = sql`select json_agg(to_json(n.*))::text as keys
    from (select ${list}, row_number() over () as "$n" from (select distinct ${list} from ${tableSql(table)}) d) n
    group by ("$n" - 1) / ${KEYS_A_STATEMENT}::int`
  return (await query<{ keys: string }>(tx, keys)).map(({ keys }) => keys)
}

/** Copies the stored records that the file gave before and that are not among `rows`. */
export function copyGone(
  tx: Db,
  copyOut: CopyOut,
  target: Shadowed,
  origin: Origin,
  rows: readonly PreparedRow[],
): Promise<void> {
  const { entity } = target
  const readKey = keyReader(entity)
  const keyed = rows.filter((row) => readKey(row) !== null)
  const isGone = sql`${keySql(entity, 't')} in (select p.key from ${goneSql(entity, origin, keyed)})`
  return carryMissing(tx, copyOut, target, isGone)
}

/**
 * Drops the foreign keys of partial copies, to be added again once those are filled: the target of a
 * copied record is only copied if the record itself is written to, as only then it is checked.
 */
async function dropReferences(tx: Db, filled: readonly Shadowed[]): Promise<Reference[]> {
  const references = (await storedReferences(tx)).filter(({ table }) =>
    filled.some(({ entity }) => isSame(entity.table, table)),
  )
  for (const reference of references)
    for (const statement of toSql({ type: 'drop-reference', ...reference }))
      await tx.execute(statement)
  return references
}

const isSame = (a: TableName, b: TableName) => a.schema === b.schema && a.name === b.name

type Need = { of: Shadowed; columns: string[]; where: SQL }
