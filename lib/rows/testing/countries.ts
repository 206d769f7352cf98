import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { freshDeps } from '@/lib/testing/deps'
import type { Json } from '@/lib/values/json'
import { prepareRecords } from '../prepare-records'
import { columnList } from '../record-columns'
import { type WriteOptions, writeRecords } from '../write-records'

export const deps = freshDeps()

export const CODE = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
export const COUNTRY = {
  entity: { name: 'Country', pks: CODE },
  schema: {
    properties: [
      { name: 'code', type: 'string' },
      { name: 'name', type: 'string', required: true },
      { name: 'iso', type: 'string', unique: true },
      { name: 'people', type: 'integer' },
      { name: 'state', type: 'string', default: 'open' },
      { name: 'tags', type: 'array' },
    ],
  },
}

export async function write(
  entity: Entity,
  records: object[],
  options: Partial<WriteOptions> = {},
) {
  const { rows, faults } = await prepareRecords(entity, records as Json[], 'insert')
  expect(faults).toEqual([])
  const all = { onDuplicate: 'Error', updateStrategy: 'Upsert', actorName: 'ann', ...options }
  return deps.db.transaction((tx) => writeRecords(tx, entity, rows, all as WriteOptions))
}

export const stored = (entity: Entity, columns = '*') =>
  rows<Record<string, Json>>(
    deps.db,
    sql`select ${sql.raw(columns)} from ${tableSql(entity.table)} order by ${columnList(entity.keys)}`,
  )

export const counts = (created: number, updated = 0, unchanged = 0, failed = 0) => ({
  created,
  updated,
  unchanged,
  failed,
})
