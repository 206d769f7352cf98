import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import { allow, clerk, deps } from './testing/branches'
import { ALL, OWN, ofBranch, send, stored, told } from './testing/clerks'

describe('rows', () => {
  test('that are hidden can be changed no more than rows that do not exist', async () => {
    const headers = await ofBranch()
    for (const method of ['PATCH', 'PUT'] as const) {
      const hidden = await send(headers, method, '/4', { total: 1 })
      const none = await send(headers, method, '/400', { total: 1 })
      expect([hidden.status, none.status]).toEqual([404, 404])
      expect(told(hidden)).toBe(told(none).replaceAll('400', '4'))
    }
    const many = await send(headers, 'PUT', '/batch', [
      { id: 1, total: 11 },
      { id: 4, total: 1 },
      { id: 400, total: 1 },
    ])
    expect(many.status).toBe(404)
    expect(many.body.validations.map(({ field }: { field: string }) => field)).toEqual([
      'records.1',
      'records.2',
    ])
    expect((await stored(1))?.total).toBe(10)
    expect((await stored(4))?.total).toBe(40)
  })

  test('that are shown and not covered can not be changed', async () => {
    await allow({ entities: ['Order'] })
    const headers = await ofBranch({ actions: ['update'] })
    const refused = await send(headers, 'PATCH', '/4', { total: 1 })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('other records of \\"Order\\" only')
    expect((await send(headers, 'PATCH', '/1', { total: 1 })).body.data).toMatchObject([
      { id: 1, total: 1 },
    ])
    const many = await send(headers, 'PUT', '/batch', [
      { id: 1, total: 2 },
      { id: 4, total: 2 },
    ])
    expect(many.status).toBe(403)
    expect((await stored(1))?.total).toBe(1)
  })

  test('by what they refer to', async () => {
    const where = [{ field: 'branch.region', operator: 'eq', value: '$me.profile.region' }]
    await allow({ entities: ['Order'], actions: ALL, where })
    const headers = await clerk({ region: 'south' })
    expect((await send(headers, 'PATCH', '/1', { total: 1 })).status).toBe(404)
    expect((await send(headers, 'PATCH', '/4', { total: 41 })).status).toBe(200)
    const many = await send(headers, 'PUT', '/batch', [{ id: 4, total: 42 }])
    expect(many.body.data).toMatchObject([{ id: 4, total: 42 }])
    expect((await send(headers, 'POST', '', { id: 6, branch: 'S1' })).status).toBe(201)
    expect((await send(headers, 'POST', '', { id: 7, branch: 'N1' })).status).toBe(403)
    expect(await stored(7)).toBeUndefined()
  })
})

describe('what is written', () => {
  test('must be what the policy allows', async () => {
    const headers = await ofBranch()
    const moved = await send(headers, 'PATCH', '/1', { branch: 'S1' })
    expect(moved.status).toBe(403)
    expect(moved.text).not.toMatch(/N1|profile/)
    const made = await send(headers, 'POST', '', { id: 6, branch: 'S1' })
    expect(made.status).toBe(403)
    const many = await send(headers, 'POST', '/batch', [
      { id: 6, branch: 'N1' },
      { id: 7, branch: 'S1' },
    ])
    expect(many.status).toBe(403)
    expect(await stored(6)).toBeUndefined()
    expect((await send(headers, 'POST', '', { id: 6, branch: 'N1' })).status).toBe(201)
    const changed = await send(headers, 'PUT', '/batch', [
      { id: 6, branch: 'N1', total: 1 },
      { id: 1, branch: 'S1' },
    ])
    expect(changed.status).toBe(403)
    expect((await stored(6))?.total).toBeNull()
  })

  test('is allowed by a policy that allows it before and afterwards', async () => {
    await allow({ entities: ['Order'] })
    const update = { entities: ['Order'], actions: ['update'] }
    await allow({ ...update, where: OWN, fields: ['branch', 'total'] })
    const small = [{ field: 'total', operator: 'lte', value: 30 }]
    await allow({ ...update, where: small, fields: ['branch', 'total', 'margin'] })
    const headers = await clerk({ branch: 'S1' })
    // By the first policy it was changeable, and by the second it would be.
    expect((await send(headers, 'PATCH', '/5', { branch: 'N1', total: 1 })).status).toBe(403)
    const query = [{ field: 'id', operator: 'eq', value: 5 }]
    const set = { branch: 'N1', total: 1 }
    expect((await send(headers, 'PATCH', '/batch', { query, set })).status).toBe(403)
    expect((await send(headers, 'PUT', '/batch', [{ id: 5, ...set }])).status).toBe(403)
    const field = await send(headers, 'PATCH', '/5', { total: 2, margin: 1 })
    expect([field.status, field.body.validations[0].field]).toEqual([403, 'margin'])
    expect((await send(headers, 'PATCH', '/5', { total: 2 })).status).toBe(200)
    expect((await send(headers, 'PATCH', '/5', { total: 3, margin: 1 })).status).toBe(200)
    expect(await stored(5)).toMatchObject({ branch: 'S1', total: 3, margin: 1 })
  })

  test('may be asked for by a check of its own, and need not be shown afterwards', async () => {
    const headers = await ofBranch({ check: [] })
    const moved = await send(headers, 'PATCH', '/1', { branch: 'S1' })
    expect(moved.status).toBe(200)
    expect(moved.body.data).toEqual([{ persistenceId: '1' }])
    expect(moved.headers.get('etag')).toBeNull()
    const made = await send(headers, 'POST', '/batch', [
      { id: 6, branch: 'N1' },
      { id: 7, branch: 'S1' },
    ])
    expect(made.body.data).toMatchObject([{ id: 6, branch: 'N1' }, { persistenceId: '7' }])
    expect(Object.keys(made.body.data[1])).toEqual(['persistenceId'])
    const many = await send(headers, 'PUT', '/batch', [{ id: 6, branch: 'S1' }])
    expect(many.body.data).toEqual([{ persistenceId: '6' }])
  })

  test('is none of those who lack a value that the policy compares with, whatever its check', async () => {
    await ofBranch({ check: [] })
    const headers = await clerk({})
    expect((await send(headers, 'POST', '', { id: 6, branch: 'N1' })).status).toBe(403)
    expect(await stored(6)).toBeUndefined()
    await allow({ entities: ['Order'], actions: ['write'] })
    await allow({ entities: ['Order'], actions: ['write'], where: OWN, set: { total: 7 } })
    expect((await send(headers, 'POST', '', { id: 6, total: 1 })).status).toBe(201)
    expect(await stored(6)).toMatchObject({ total: 1 })
  })

  test('gets what policies set, whatever was sent', async () => {
    await allow({ entities: ['Order'] })
    await allow({
      entities: ['Order'],
      actions: ['write', 'update'],
      set: { branch: '$me.profile.branch', ownerId: '$me', remark: 'set' },
    })
    const headers = await clerk({ branch: 'N2' })
    const made = await send(headers, 'POST', '', { id: 6, branch: 'S1', ownerId: 'me', total: 1 })
    expect(made.body.data).toMatchObject([{ branch: 'N2', total: 1, remark: 'set' }])
    expect(made.body.data[0].ownerId).toMatch(/^[0-9a-f-]{36}$/)
    expect((await send(headers, 'PATCH', '/1', { total: 5 })).body.data).toMatchObject([
      { id: 1, branch: 'N2', total: 5, remark: 'set' },
    ])
    const many = await send(headers, 'PUT', '/batch', [{ id: 5, branch: 'N1' }])
    expect(many.body.data).toMatchObject([{ id: 5, branch: 'N2', remark: 'set' }])
    const poor = await send(await clerk({}), 'POST', '', { id: 7 })
    expect(poor.status).toBe(403)
    expect(poor.text).not.toContain('branch')
  })
})

test('of several policies that set a field, that with the highest priority does', async () => {
  await allow({ entities: ['Order'], actions: ALL })
  for (const [priority, branch] of [
    [2, 'N2'],
    [3, 'S1'],
    [1, 'N1'],
  ] as const)
    await allow({ entities: ['Order'], actions: ['write'], priority, set: { branch } })
  const made = await send(await clerk(), 'POST', '', { id: 6 })
  expect(made.body.data).toMatchObject([{ branch: 'S1' }])
})

describe('fields', () => {
  const CLOSED = {
    entity: {
      name: 'Salary',
      pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }],
    },
    schema: {
      additionalProperties: false,
      properties: [
        { name: 'person', type: 'string' },
        { name: 'amount', type: 'integer' },
        { name: 'bonus', type: 'integer' },
      ],
    },
  }

  test('that may be read but not written are refused by name', async () => {
    await allow({ entities: ['Order'] })
    await allow({
      entities: ['Order'],
      actions: ['write', 'update'],
      fields: { except: ['margin'] },
    })
    const headers = await clerk()
    for (const [method, path, body] of [
      ['POST', '', { id: 6, margin: 1 }],
      ['PATCH', '/1', { margin: 1 }],
      ['PUT', '/1', { margin: 1 }],
    ] as const) {
      const refused = await send(headers, method, path, body)
      expect(refused.status).toBe(403)
      expect(refused.body.validations[0].field).toBe('margin')
    }
    const many = await send(headers, 'PUT', '/batch', [
      { id: 1, total: 1 },
      { id: 2, margin: 1 },
    ])
    expect(many.body.validations[0].field).toBe('records.1.margin')
    expect((await send(headers, 'POST', '', { id: 6, total: 1 })).status).toBe(201)
  })

  test('that are hidden are as unknown as any other', async () => {
    await installTestEntity(deps, CLOSED, [{ id: 1, person: 'A', amount: 1, bonus: 1 }])
    await allow({ entities: ['Salary'], actions: ALL, fields: { except: ['bonus'] } })
    const headers = await clerk()
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', '/1'],
      ['PUT', '/1'],
    ] as const) {
      const refusal = (field: string) =>
        send(headers, method, path, { id: path ? 1 : 2, [field]: 1 }, { name: 'Salary' })
      const [hidden, none] = [await refusal('bonus'), await refusal('bogus')]
      expect([hidden.status, none.status]).toEqual([400, 400])
      expect(told(hidden)).toBe(told(none).replaceAll('bogus', 'bonus'))
    }
    const both = await send(headers, 'PATCH', '/1', { bonus: 1, bogus: 1 }, { name: 'Salary' })
    expect(both.body.validations).toHaveLength(2)
    const changed = await send(headers, 'PATCH', '/1', { amount: 2 }, { name: 'Salary' })
    expect(changed.body.data).toEqual([{ id: 1, person: 'A', amount: 2, persistenceId: '1' }])
  })

  test('that are undeclared and hidden are never stored', async () => {
    await allow({ entities: ['Order'], actions: ALL, fields: ['branch', 'total', 'note'] })
    const headers = await clerk()
    for (const name of ['remark', 'margin', 'anything']) {
      const refused = await send(headers, 'POST', '', { id: 6, [name]: 1 })
      expect(refused.status).toBe(400)
      expect(refused.body.validations).toEqual([{ field: name, error: 'is not a field of Order' }])
      expect((await send(headers, 'PATCH', '/1', { [name]: null })).status).toBe(400)
    }
    expect((await send(headers, 'POST', '', { id: 6, note: 'x' })).status).toBe(201)
  })

  test('open in some rows only are refused in the others', async () => {
    await allow({ entities: ['Order'] })
    await allow({ entities: ['Order'], actions: ['write', 'update'], fields: ['total', 'branch'] })
    await allow({
      entities: ['Order'],
      actions: ['write', 'update'],
      where: OWN,
      fields: ['margin', 'note'],
    })
    const headers = await clerk({ branch: 'N1' })
    expect((await send(headers, 'PATCH', '/1', { margin: 7, note: null })).status).toBe(200)
    for (const body of [{ margin: 7 }, { note: 'x' }, { note: null }]) {
      const refused = await send(headers, 'PATCH', '/4', body)
      expect([body, refused.status]).toEqual([body, 403])
    }
    expect((await send(headers, 'POST', '', { id: 6, branch: 'N1', margin: 1 })).status).toBe(201)
    const made = await send(headers, 'POST', '', { id: 7, branch: 'S1', margin: 1 })
    expect(made.status).toBe(403)
    expect(made.body.validations[0].field).toBe('margin')
    // Afterwards it would be a record in which the field may not be written.
    expect((await send(headers, 'PATCH', '/1', { margin: 8, branch: 'S1' })).status).toBe(403)
  })

  test('that may not be written are kept by a replacement', async () => {
    const definition = { name: 'Item', pks: CLOSED.entity.pks, updateStrategy: 'Replace' }
    const schema = {
      properties: [
        { name: 'title', type: 'string' },
        { name: 'stock', type: 'integer', meta: { default: 3 } },
        { name: 'cost', type: 'integer' },
      ],
    }
    await installTestEntity(deps, { entity: definition, schema }, [
      { id: 1, title: 'A', stock: 1, cost: 1, secret: 's', note: 'n' },
      { id: 2, title: 'B', stock: 2, cost: 2, secret: 's', note: 'n' },
    ])
    await allow({ entities: ['Item'], actions: ALL, fields: { except: ['cost', 'secret'] } })
    await allow({ entities: ['Item'], principals: ['Chief'] })
    const [headers, chief] = [await clerk(), await clerk({}, ['Chief'])]
    const item = { name: 'Item' }
    expect((await send(headers, 'PUT', '/1', { title: 'C' }, item)).status).toBe(200)
    expect((await send(headers, 'PUT', '/batch', [{ id: 2, other: 1 }], item)).status).toBe(200)
    const { body } = await send(chief, 'GET', '', undefined, item)
    expect(body.data).toEqual([
      { id: 1, title: 'C', stock: 3, cost: 1, secret: 's', persistenceId: '1' },
      { id: 2, title: null, stock: 3, cost: 2, secret: 's', other: 1, persistenceId: '2' },
    ])
  })

  test('that a new record needs and the caller may not write are not named unless they are shown', async () => {
    const properties = [
      { name: 'title', type: 'string' },
      { name: 'secret', type: 'string', meta: { required: true } },
    ]
    await installTestEntity(
      deps,
      {
        entity: { ...CLOSED.entity, name: 'Thing' },
        schema: { properties, additionalProperties: false },
      },
      [],
    )
    await allow({ entities: ['Thing'], actions: ALL, fields: ['title'] })
    const refused = await send(await clerk(), 'POST', '', { id: 1, title: 'x' }, { name: 'Thing' })
    expect(refused.status).toBe(403)
    expect(refused.text).not.toContain('secret')
  })
})

test('an ETag is that of the record as the caller reads it', async () => {
  await allow({ entities: ['Order'], actions: ALL, fields: { except: ['margin'] } })
  const headers = await clerk()
  const etag = (await send(headers, 'GET', '/1')).headers.get('etag') ?? ''
  await deps.db.execute(sql`update entities.order set margin = 77 where id = 1`)
  const changed = await send(
    headers,
    'PATCH',
    '/1',
    { total: 9 },
    { headers: { 'if-match': etag } },
  )
  expect(changed.status).toBe(200)
  expect(changed.text).not.toContain('margin')
  expect((await send(headers, 'GET', '/1')).headers.get('etag')).toBe(changed.headers.get('etag'))
  const stale = await send(headers, 'PATCH', '/1', { total: 8 }, { headers: { 'if-match': etag } })
  expect(stale.status).toBe(412)
})

test('a computed field that is shown may be sent back, and a hidden one is unknown', async () => {
  const properties = [
    { name: 'net', type: 'integer' },
    { name: 'tax', type: 'integer' },
    { name: 'gross', type: 'integer', meta: { computed: 'net + tax' } },
    { name: 'double', type: 'integer', meta: { computed: 'tax * 2' } },
  ]
  const definition = { name: 'Bill', pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] }
  await installTestEntity(
    deps,
    { entity: definition, schema: { properties, additionalProperties: false } },
    [{ id: 1, net: 1, tax: 2 }],
  )
  await allow({ entities: ['Bill'], actions: ALL, fields: { except: ['tax', 'double'] } })
  const headers = await clerk()
  const bill = { name: 'Bill' }
  expect((await send(headers, 'PATCH', '/1', { net: 2, gross: 3 }, bill)).body.data).toEqual([
    { id: 1, net: 2, gross: 4, persistenceId: '1' },
  ])
  expect((await send(headers, 'PUT', '/batch', [{ id: 1, net: 1, gross: 4 }], bill)).status).toBe(
    200,
  )
  for (const double of [4, 5])
    expect((await send(headers, 'PATCH', '/1', { double }, bill)).status).toBe(400)
})
