import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { POST as SEARCH } from '@/app/api/entities/[entityName]/search/route'
import { rows } from '@/lib/db/sql'
import { call } from '@/lib/testing/request'
import { deps, installed, logOf, SCHEMA, search, text, version } from '../../testing/versions'

describe('a new version', () => {
  test('that drops a property keeps its column and data, and serves it no longer', async () => {
    await installed(
      version({ properties: [text('a'), text('b')], records: [{ id: 1, a: 'x', b: 'y' }] }),
    )
    await installed(version({ properties: [text('a')] }))
    expect(await search()).toEqual([{ id: 1, a: 'x' }])
    expect(await rows(deps.db, sql`select b from entities.thing`)).toEqual([{ b: 'y' }])
    const unknown = await call(deps, SEARCH, {
      method: 'POST',
      path: '/api/entities/Thing/search',
      params: { entityName: 'Thing' },
      body: { query: [{ field: 'b', operator: 'eq', value: 'y' }] },
      as: 'ADMIN',
    })
    expect(unknown).toMatchObject({ status: 400, body: { error: expect.stringContaining('b') } })
    await installed(version({ properties: [text('a'), text('b')] }))
    expect(await search()).toEqual([{ id: 1, a: 'x', b: 'y' }])
  })

  test('that drops a property says how many values are served no longer', async () => {
    const records = Array.from({ length: 5 }, (_, id) => ({ id, a: 'x', b: id < 3 ? 'y' : null }))
    await installed(version({ properties: [text('a'), text('b'), text('c')], records }))
    const logs = await installed(version({ properties: [text('a')] }))
    expect(logOf(logs, SCHEMA)?.changes).toEqual([
      'Stop serving b of entities.thing; its 3 values are kept',
      'Stop serving c of entities.thing; it has no values',
    ])
  })
})
