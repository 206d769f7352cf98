import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '@/lib/db/types'
import { defaultsOf } from '@/lib/entities/records/compiled-entity'
import { jsonChunks, wholeEncoder } from '@/lib/entities/records/json-chunks'
import type { PreparedRow } from '@/lib/entities/records/prepared-row'
import { given, recordset, sameValues } from '@/lib/entities/records/record-columns'
import { readConstraints } from '@/lib/entities/records/table-constraints'
import { copyRecords } from './copy-entity'
import type { Shadowed } from './open-shadow'

/**
 * Copies the stored records that writing `rows` may meet, where an entity is copied only in part:
 * those with a key or unique value of theirs, and those that they refer to.
 */
export async function copyRivals(
  tx: Db,
  target: Shadowed,
  all: ReadonlyMap<string, Shadowed>,
  rows: readonly PreparedRow[],
): Promise<void> {
  const { entity } = target
  const { unique, foreign } = await readConstraints(tx, entity)
  const needs: Need[] = target.isPartial
    ? unique.map(({ columns }) => ({ of: target, columns, where: sameValues(columns) }))
    : []
  for (const { columns, targets, table } of foreign) {
    const of = [...all.values()].find(
      ({ entity }) => entity.table.schema === table.schema && entity.table.name === table.name,
    )
    if (of?.isPartial) needs.push({ of, columns, where: refersTo(columns, targets) })
  }
  for (const { of, columns, where } of needs)
    for (const { json } of jsonChunks([...rows], wholeEncoder(defaultsOf(entity)))) {
      const isMet = sql`exists (select 1 from ${recordset(entity, json, columns)} where ${where})`
      await copyRecords(tx, of.entity, of.columns, of.source, isMet)
    }
}

type Need = { of: Shadowed; columns: string[]; where: SQL }

const refersTo = (columns: readonly string[], targets: readonly string[]): SQL =>
  sql.join(
    columns.map((column, at) => sql`t.${sql.identifier(targets[at] ?? '')} = ${given(column)}`),
    sql` and `,
  )
