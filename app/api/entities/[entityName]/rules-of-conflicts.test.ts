import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { installTestEntity } from '@/lib/testing/entity'
import { allow, clerk, deps } from './testing/branches'
import { ALL, send, told } from './testing/clerks'

const FIXED = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
const MINE = [{ field: 'team', operator: 'eq', value: '$me.profile.team' }]
const item = { name: 'Item' }

/** Items of the teams A and B; the clerk may do everything with those of A. */
async function items(entity: object, policy: object = {}) {
  const properties = [
    { name: 'team', type: 'string' },
    { name: 'code', type: 'string', meta: { unique: true } },
    { name: 'cost', type: 'integer' },
  ]
  await installTestEntity(
    deps,
    { entity: { name: 'Item', pks: FIXED, ...entity }, schema: { properties } },
    [
      { id: 1, team: 'A', code: 'a1', cost: 10 },
      { id: 2, team: 'B', code: 'b1', cost: 20 },
    ],
  )
  await allow({ entities: ['Item'], actions: ALL, where: MINE, ...policy })
  return clerk({ team: 'A' })
}

const all = () => rows(deps.db, sql`select id, team, code, cost from entities.item order by id`)

describe('a hidden record', () => {
  test('has taken its key and unique values, and nothing else is said', async () => {
    const headers = await items({})
    const create = (record: object) => send(headers, 'POST', '', { team: 'A', ...record }, item)
    const [hidden, shown] = [await create({ id: 2 }), await create({ id: 1 })]
    expect([hidden.status, shown.status]).toEqual([409, 409])
    expect(told(hidden)).toBe(told(shown).replaceAll('= 1', '= 2'))
    const [taken, own] = [await create({ id: 3, code: 'b1' }), await create({ id: 3, code: 'a1' })]
    expect([taken.status, own.status]).toEqual([409, 409])
    expect(told(taken)).toBe(told(own).replaceAll('a1', 'b1'))
    const changed = await send(headers, 'PATCH', '/1', { code: 'b1' }, item)
    expect(changed.status).toBe(409)
    expect(told(changed)).not.toContain('20')
  })

  test.each(['Upsert', 'Ignore'])(
    'is not overwritten, skipped or shown: %s',
    async (insertDuplicate) => {
      const headers = await items({ insertDuplicate, updateStrategy: 'Upsert' })
      const before = await all()
      const one = await send(headers, 'POST', '', { id: 2, team: 'A' }, item)
      expect(one.status).toBe(409)
      expect(told(one)).not.toMatch(/b1|"B"|20/)
      const many = await send(
        headers,
        'POST',
        '/batch',
        [
          { id: 1, team: 'A', cost: 11 },
          { id: 2, team: 'A', cost: 11 },
          { id: 3, team: 'A', cost: 11 },
        ],
        item,
      )
      expect(many.status).toBe(409)
      expect(many.body.validations).toHaveLength(1)
      expect(many.body.validations[0].field).toBe('records.1.id')
      expect(await all()).toEqual(before)
    },
  )
})

describe('overwriting', () => {
  const DUPLICATES = { insertDuplicate: 'Upsert', updateStrategy: 'Upsert' }

  test('follows the rule of changes, and what is new that of new records', async () => {
    const headers = await items(DUPLICATES, { actions: ['read'] })
    await allow({ entities: ['Item'], actions: ['write'], set: { code: '$me.profile.code' } })
    await allow({ entities: ['Item'], actions: ['update'], where: MINE, set: { cost: 5 } })
    const made = await send(
      headers,
      'POST',
      '/batch',
      [
        { id: 1, team: 'A', cost: 1 },
        { id: 3, team: 'A', cost: 1 },
      ],
      item,
    )
    expect(made.status).toBe(403)
    await allow({ entities: ['Item'], actions: ['write'], priority: 1, set: { code: 'new' } })
    const known = await clerk({ team: 'A', code: 'old' })
    const done = await send(
      known,
      'POST',
      '/batch',
      [
        { id: 3, team: 'A', cost: 1 },
        { id: 1, team: 'A', cost: 1 },
      ],
      item,
    )
    expect(done.body.data).toMatchObject([
      { id: 3, code: 'new', cost: 1 },
      { id: 1, code: 'a1', cost: 5 },
    ])
    expect(done.body.meta).toEqual({ created: 1, updated: 1, unchanged: 0 })
  })

  test('is a conflict where the record may not be changed, and leaves the rest unwritten', async () => {
    const headers = await items(DUPLICATES, { actions: ['write', 'update'] })
    await allow({ entities: ['Item'] })
    const before = await all()
    const many = await send(
      headers,
      'POST',
      '/batch',
      [
        { id: 2, team: 'A' },
        { id: 3, team: 'A' },
      ],
      item,
    )
    expect(many.status).toBe(409)
    const moved = await send(headers, 'POST', '', { id: 1, team: 'B' }, item)
    expect(moved.status).toBe(403)
    const taken = await send(
      headers,
      'POST',
      '/batch',
      [
        { id: 3, team: 'A' },
        { id: 1, team: 'A', code: 'b1' },
      ],
      item,
    )
    expect(taken.status).toBe(409)
    expect(await all()).toEqual(before)
  })

  test('skips records that are shown', async () => {
    const headers = await items({ insertDuplicate: 'Ignore' })
    const many = await send(
      headers,
      'POST',
      '/batch',
      [
        { id: 1, team: 'B' },
        { id: 3, team: 'A' },
      ],
      item,
    )
    expect(many.body.meta).toEqual({ created: 1, updated: 0, unchanged: 1 })
    expect(many.body.data).toMatchObject([{ id: 1, team: 'A', code: 'a1' }, { id: 3 }])
  })
})

test('a rule of uniqueness with hidden fields names none of them', async () => {
  const properties = [
    { name: 'title', type: 'string' },
    { name: 'secret', type: 'string' },
  ]
  const schema = { properties, unique: [{ fields: ['title', 'secret'], name: 'once' }] }
  await installTestEntity(deps, { entity: { name: 'Item', pks: FIXED }, schema }, [
    { id: 1, title: 'A', secret: 'token' },
  ])
  const set = { secret: 'token' }
  await allow({ entities: ['Item'], actions: ALL, fields: ['title'], set })
  const headers = await clerk()
  const taken = await send(headers, 'POST', '', { id: 2, title: 'A' }, item)
  expect(taken.status).toBe(409)
  expect(taken.text).not.toMatch(/token|secret|once/)
  expect((await send(headers, 'POST', '', { id: 2, title: 'B' }, item)).status).toBe(201)
  const changed = await send(headers, 'PATCH', '/2', { title: 'A' }, item)
  expect(changed.status).toBe(409)
  expect(changed.text).not.toMatch(/token|secret|once/)
})

test('keys that are made are given to new records of a rule, too', async () => {
  const pks = [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]
  await items({ pks })
  const headers = await clerk({ team: 'A' })
  const made = await send(headers, 'POST', '/batch', [{ team: 'A' }, { team: 'A' }], item)
  expect(made.body.data).toMatchObject([{ id: 3 }, { id: 4 }])
  expect((await send(headers, 'POST', '', { team: 'B' }, item)).status).toBe(403)
})
