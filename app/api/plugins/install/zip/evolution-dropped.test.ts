import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { POST as SEARCH } from '@/app/api/entities/[entityName]/search/route'
import { rows } from '@/lib/db/rows'
import { tableColumns } from '@/lib/testing/define'
import { call } from '@/lib/testing/request'
import { install, verdicts } from '../../testing/plugin-api'
import {
  deps,
  ENTITY,
  installed,
  integer,
  logOf,
  SCHEMA,
  search,
  text,
  version,
} from '../../testing/versions'

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

  test.each<[string, object, unknown, object]>([
    ['a narrower number', text('v'), 'twelve', integer('v')],
    ['a shorter text', text('v'), 'abcdef', text('v', { maxLength: 3 })],
    ['a lower maximum', integer('v'), 12, integer('v', { max: 10 })],
    ['a smaller list of values', text('v'), 'c', text('v', { enum: ['a', 'b'] })],
    ['a pattern', text('v'), 'abc', text('v', { pattern: '^[0-9]+$' })],
    ['a required value', text('v'), null, text('v', { required: true })],
    ['a unique value', text('v'), 'same', text('v', { unique: true })],
  ])(
    'that asks for %s which a stored one contradicts fails that file alone',
    async (_, before, value, after) => {
      const records = [
        { id: 1, v: value },
        { id: 2, v: value },
      ]
      await installed(version({ properties: [before], records }))
      const columns = await tableColumns(deps, 'thing')
      const stored = await search()
      const { status, body, logs } = await install(
        deps,
        version({
          properties: [after, integer('more')],
          records: [{ id: 3, v: null }],
          entity: { description: 'new' },
        }),
      )
      expect(status).toBe(200)
      expect(body.message).toContain('in part')
      expect(verdicts(logs)).toEqual({
        [SCHEMA]: 'Incompatible change',
        [ENTITY]: 'updated',
        'Thing/data.json': 'created',
      })
      expect(logOf(logs, SCHEMA)?.details[0]).toMatchObject({
        key: expect.anything(),
        message: expect.any(String),
      })
      expect(await tableColumns(deps, 'thing')).toEqual(columns)
      expect((await search()).slice(0, 2)).toEqual(stored)
    },
  )
})
