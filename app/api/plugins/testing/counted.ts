import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { POST as CREATE } from '../../entities/[entityName]/route'
import type { Files } from './plugin-api'

export const COUNTED_ID = 'com.example.counted'

/** A number is counted by an identity, a text by a sequence. */
export const COUNTED_TYPES = ['number', 'string'] as const
export type CountedType = (typeof COUNTED_TYPES)[number]

/** An entity whose keys are counted, with three records that have none. */
export const counted = (type: CountedType, entity: object = {}): Files => {
  const pks = [{ key: 'id', strategy: 'AutoIncrement', type }]
  const definition = { name: 'Item', pks, insertDuplicate: 'Upsert', ...entity }
  return pluginFiles(
    {
      EngineSchemas: {
        files: { 'i.json': { name: definition.name, properties: [{ name: 'v', type: 'string' }] } },
      },
      EngineEntities: { files: { 'i.json': definition } },
      [definition.name]: { files: { 'data.json': [{ v: 'a' }, { v: 'b' }, { v: 'c' }] } },
    },
    { id: COUNTED_ID },
  )
}

/** Creates two records as a user does; each must get a number beyond all that are stored. */
export async function requireCounting(deps: Deps, entityName = 'Item'): Promise<void> {
  const table = sql`entities.${sql.identifier(entityName.toLowerCase())}`
  for (const v of ['by hand', 'by hand again']) {
    const greatest = sql`select max(id::bigint)::int as greatest from ${table}`
    const { greatest: before } = one(await rows<{ greatest: number }>(deps.db, greatest))
    expect(before).toBeGreaterThanOrEqual(3)
    const { status, body } = await call(deps, CREATE, {
      method: 'POST',
      path: `/api/entities/${entityName}`,
      body: { v },
      as: 'ADMIN',
      params: { entityName },
    })
    expect([status, body.error]).toEqual([201, undefined])
    expect(Number(body.data[0].id)).toBeGreaterThan(before)
  }
}
