import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows as rowsOf } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { targetOf } from '@/lib/registry/target'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { columnList, hasKeyOf } from '@/lib/rows/record-columns'
import { keyRelation, keysJson, POSITION } from '@/lib/rows/select-records'
import type { Grants } from '@/lib/search/grants'
import { fromSql, type Join } from '@/lib/search/sql-terms'
import { verdictSql } from '@/lib/search/verdict'
import type { WriteRule } from '../write-rule'

/** Conditions over a table, and over what `joins` add to it. */
type Asked = { joins: readonly Join[]; conditions: readonly SQL[] }

/** Which of the conditions hold for the stored records of rows, by the index of the row; records that are not stored are left out. */
export async function judgeRows(
  db: Db,
  entity: Entity,
  rows: PreparedRow[],
  { joins, conditions }: Asked,
): Promise<Map<number, boolean[]>> {
  const json = keysJson(entity, rows)
  const judged = sql`select ${columnList(entity.keys)}, ${listed(conditions)} as "$held" from ${fromSql(targetOf(entity), joins)}`
  const found = await rowsOf<{ index: number; held: boolean[] }>(
    db,
    sql`select n.${POSITION} as index, t."$held" as held from (${judged}) as t
      join ${keyRelation(entity, json)} on ${hasKeyOf(entity, json)}`,
  )
  return new Map(found.map(({ index, held }) => [index, held]))
}

/** Which policies allow something with the stored records of rows, in the order of `grants`. */
export async function judgeGrants(
  db: Db,
  { entity }: WriteRule,
  rows: PreparedRow[],
  grants: Grants | undefined,
): Promise<Map<number, boolean[]>> {
  if (!grants) return new Map()
  const conditions = grants.list.map(({ when }) => verdictSql(when))
  return judgeRows(db, entity, rows, { joins: grants.joins, conditions })
}

/** Which of the conditions hold for the only record that matches `where`; null when there is none. */
export async function judgeRecord(
  db: Db,
  entity: Entity,
  where: SQL,
  { joins, conditions }: Asked,
): Promise<boolean[] | null> {
  const [found] = await rowsOf<{ held: boolean[] }>(
    db,
    sql`select ${listed(conditions)} as held from ${fromSql(targetOf(entity), joins)} where ${where}`,
  )
  return found?.held ?? null
}

const listed = (conditions: readonly SQL[]): SQL =>
  sql`json_build_array(${sql.join([...conditions], sql`, `)})`
