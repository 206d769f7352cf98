import { sql } from 'drizzle-orm'
import type { CopyOut } from '@/lib/db/copy-out'
import { type Db, rows as query, tableSql } from '@/lib/db/sql'
import type { Entity, TableName } from '@/lib/definitions/definition'
import { defaultsOf } from '@/lib/rows/compiled-entity'
import { jsonChunks, type PreparedRow, wholeEncoder } from '@/lib/rows/prepared-row'
import { columnList, recordset, refersTo, sameKey, stored } from '@/lib/rows/record-columns'
import { readConstraints } from '@/lib/rows/table-constraints'
import type { Reference } from '@/lib/tables/plan-references'
import { toSql } from '@/lib/tables/step-to-sql'
import { storedReferences } from '@/lib/tables/stored-references'
import { type Choice, carryMissing, copyReference } from './copy-table'
import type { Shadowed } from './open-shadow'

type RivalCopier = {
  /** Copies what writing the rows may conflict with. */
  copy: (rows: readonly PreparedRow[]) => Promise<void>
  /** Adds the foreign keys again. */
  end: () => Promise<void>
}

/**
 * Copies the stored records that writing a file's rows may conflict with, where an entity is copied only in
 * part: those with one of their keys or unique values, and those that these or the rows refer to.
 * Null where nothing needs to be copied.
 */
export async function rivalCopier(
  tx: Db,
  copyOut: CopyOut,
  target: Shadowed,
  all: ReadonlyMap<string, Shadowed>,
): Promise<RivalCopier | null> {
  const { entity } = target
  const { unique, foreign } = await readConstraints(tx, entity)
  const referred = foreign.flatMap(({ columns, targets, table }) => {
    const of = [...all.values()].find((one) => isSame(one.entity.table, table))
    return of?.isPartial ? [{ of, columns, targets }] : []
  })
  if (!target.isPartial && referred.length === 0) return null
  const needs: Need[] = target.isPartial
    ? unique.map(({ columns }) => ({ of: target, columns, targets: columns }))
    : []
  const filled = [target, ...referred.map(({ of }) => of)].filter(({ isPartial }) => isPartial)
  const references = await dropReferences(tx, filled)
  const encode = wholeEncoder(defaultsOf(entity))
  const carry = (need: Need, json: string) =>
    carryMissing(tx, copyOut, need.of, matches(entity, json, need))
  return {
    async copy(rows) {
      for (const { json } of jsonChunks(rows, encode)) {
        for (const need of [...needs, ...referred]) await carry(need, json)
        for (const need of referred)
          for (const keys of await referredKeys(tx, entity, json, need.columns))
            await carry(need, keys)
      }
    },
    async end() {
      for (const reference of references) await copyReference(tx, reference)
    },
  }
}

/** The columns of the rows whose values records of an entity have in their columns `targets`. */
type Need = { of: Shadowed; columns: string[]; targets: string[] }

/**
 * Each is looked up by the index over `targets`: for every part of a file, reading the table would take too long.
 * Nodes of a cluster only join.
 */
const matches =
  (entity: Entity, json: string, { of, columns, targets }: Need): Choice =>
  (table) => {
    const values = sql`(select distinct ${columnList(columns)} from ${recordset(entity, json, columns)}) as n`
    const same = refersTo(columns, targets)
    return of.isDistributed
      ? sql`${values} join ${table} as t on ${same}`
      : sql`${values} cross join lateral (select * from ${table} as t where ${same} offset 0) as t`
  }

const KEYS_A_STATEMENT = 20_000

/** What the copied records with the keys of the rows refer to by these columns, as lists in JSON. */
async function referredKeys(tx: Db, entity: Entity, json: string, columns: readonly string[]) {
  const list = columnList(columns)
  const values = sql.join(columns.map(stored), sql`, `)
  const found = sql`select distinct ${values} from ${tableSql(entity.table)} as t
    join ${recordset(entity, json, entity.keys)} on ${sameKey(entity)}`
  const keys = sql`select json_agg(to_json(n.*))::text as keys
    from (select ${list}, row_number() over () as "$n" from (${found}) d) n
    group by ("$n" - 1) / ${KEYS_A_STATEMENT}::int`
  return (await query<{ keys: string }>(tx, keys)).map(({ keys }) => keys)
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
