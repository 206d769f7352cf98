import { describe, expect, test } from 'vitest'
import { define, deps } from '@/app/api/entities/[entityName]/changes/testing/followed'
import { auditLog, webhooks } from '@/lib/db/schema'
import {
  allow,
  change,
  create,
  list,
  made,
  read,
  remove,
  rotateSecret,
  scopedKey,
} from './testing/webhooks-api'

const URL = 'https://1.1.1.1/hook'
const valid = { name: 'Warehouse', url: URL, entities: ['Book'] }

describe('a webhook', () => {
  test('is made, read, changed and deleted, and each is in the audit log without its secret', async () => {
    const { status, body } = await create(valid)
    expect(status).toBe(201)
    const [{ id, secret, ...shown }] = body.data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(shown).toMatchObject({ enabled: true, stopped: null, many: 'count', format: 'engine' })
    expect(shown.actions).toEqual(['created', 'updated', 'deleted', 'entered', 'left', 'many'])
    expect(await read(id)).toEqual({ id, ...shown })
    const changed = await change(id, { name: 'Stock', enabled: false })
    expect(changed.body.data[0]).toMatchObject({ name: 'Stock', enabled: false, stopped: 'paused' })
    expect((await list()).body.data).toMatchObject([{ id, name: 'Stock' }])
    expect((await remove(id)).status).toBe(200)
    expect((await list()).body.data).toEqual([])
    const entries = await deps.db.select().from(auditLog).orderBy(auditLog.id)
    const own = entries.filter(({ objectType }) => objectType === 'webhook')
    expect(own.map(({ action }) => action)).toEqual([
      ...['webhooks.create', 'webhooks.update', 'webhooks.delete'],
    ])
    expect(JSON.stringify(own)).not.toContain('whsec_')
  })

  test('with conditions is about records that come to meet them', async () => {
    const where = [{ field: 'branch', operator: 'eq', value: 'Rome' }]
    const { body } = await create({ ...valid, where })
    expect(body.data[0]).toMatchObject({ actions: ['created', 'entered'], many: 'records', where })
  })

  test('keeps its secret encrypted, shows it once, and has a second one after a rotation', async () => {
    const { id, secret } = await made(URL)
    const stored = async () => JSON.stringify(await deps.db.select().from(webhooks))
    expect(await stored()).not.toContain(secret.slice(6))
    expect(JSON.stringify(await read(id))).not.toContain('whsec_')
    const rotated = await rotateSecret(id)
    expect(rotated.secret).toMatch(/^whsec_/)
    expect(rotated.secret).not.toBe(secret)
    expect(new Date(rotated.formerSecretUntil).getTime()).toBeGreaterThan(Date.now() + 86_000_000)
    expect(await stored()).not.toContain(rotated.secret.slice(6))
  })
})

describe('refused is', () => {
  test.each([
    ['an entity that is none', { entities: ['Bok'] }, 'entities.0', 'did you mean "Book"'],
    ['an unknown field', { fields: ['titel'] }, 'fields.0', 'title'],
    ['a part of a field', { fields: ['title', 'notes.first'] }, 'fields.1', 'whole fields'],
    ['the id', { fields: ['persistenceId'] }, 'fields.0', 'whole fields'],
    [
      'a condition that does not fit',
      { where: [{ field: 'prize', operator: 'eq', value: 1 }] },
      'where.0.field',
      'price',
    ],
    ['an action that is none', { actions: ['create'] }, 'actions.0', 'created'],
    ['a property that is none', { acctions: [] }, 'acctions', 'actions'],
    ['no address', { url: 'warehouse' }, 'url', 'Is no address'],
    ['http', { url: 'http://1.1.1.1/' }, 'url', 'https://'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'url', 'not on the public internet'],
    ['this machine', { url: 'https://localhost:8443/' }, 'url', 'not on the public internet'],
    ['the address of the cloud', { url: 'https://169.254.169.254/latest' }, 'url', 'public'],
  ])('%s', async (_, wrong, field, error) => {
    const { status, body } = await create({ ...valid, ...wrong })
    expect([status, body.validations[0]]).toEqual([
      ...[400, { field, error: expect.stringContaining(error) }],
    ])
  })

  test('an entity that keeps no events, which tells how', async () => {
    await define({ events: false })
    const { status, body } = await create(valid)
    expect([status, body.validations[0].field]).toEqual([400, 'entities.0'])
    expect(body.validations[0].error).toContain('"events": true')
  })

  test('a name that is taken, whatever its case, and an id of none', async () => {
    await create(valid)
    expect((await create({ ...valid, name: 'WAREHOUSE' })).status).toBe(409)
    expect((await change(crypto.randomUUID(), { enabled: true })).status).toBe(404)
  })

  test('an entity that the caller may not read', async () => {
    const as = await scopedKey('webhooks:manage')
    const { status, body } = await create(valid, as)
    expect([status, body.error]).toEqual([403, expect.stringContaining('"Book:read"')])
  })
})

test('a host of OUTGOING_ALLOWED_HOSTS may be private, on its port alone', async () => {
  allow(['localhost:8080'])
  expect((await create({ ...valid, url: 'http://localhost:8080/' })).status).toBe(201)
  expect((await create({ ...valid, name: 'b', url: 'http://localhost:8081/' })).status).toBe(400)
})
