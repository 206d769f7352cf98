import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { allow, deps } from '@/app/api/entities/[entityName]/testing/branches'
import { imports, users } from '@/lib/db/schema'
import { one, rows } from '@/lib/db/sql'
import { testsOnPostgres } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import type { JsonObject } from '@/lib/values/json'
import { importsOfUser } from './testing/imports-api'

type Sent = {
  query?: string
  fileName?: string
  mapping?: object
  entityName?: string
  headers?: Record<string, string>
}

const clerk = async (profile: JsonObject = {}) => {
  const user = await importsOfUser(deps, ['Clerk'])
  await deps.db.update(users).set({ profile })
  const sent = (more: Sent = {}) => ({ entityName: 'Order', ...more })
  return {
    send: (file: string, more?: Sent) => user.send(file, sent(more)),
    preview: (file: string, more?: Sent) => user.preview(file, sent(more)),
    result: (file: string, more?: Sent) => user.result(file, sent(more)),
    /** Of the refused rows, in order. */
    reasons: async ({ id }: { id: string }) => {
      const lines = (await user.refused(id)).text.split('\r\n').slice(1, -1)
      return lines.map((line) => line.replace(/^.*,"?(?=[^,]*[a-z]{3})/, ''))
    },
  }
}

const orders = () =>
  rows<JsonObject>(
    deps.db,
    sql`select id::int, branch, total::int, margin::int from entities."order" order by id`,
  )

const WRITES = ['read', 'write', 'update']
const ownBranch = { field: 'branch', operator: 'eq', value: '$me.profile.branch' }
const OWN_BRANCH = { entities: ['Order'], actions: WRITES, where: [ownBranch] }

describe('columns', () => {
  test('of hidden fields belong to no field', async () => {
    await allow({ entities: ['Order'], actions: WRITES, fields: { except: ['margin', 'remark'] } })
    const { send, preview, result, reasons } = await clerk()
    for (const name of ['margin', 'remark']) {
      const named = await send(`id,${name}\n9,1\n`)
      const mapped = await send('id,x\n9,1\n', { mapping: { id: 'id', x: name } })
      const shown = await preview(`id,${name}\n9,1\n`)
      expect([named.status, mapped.status]).toEqual([400, 400])
      for (const { text } of [named, mapped, shown])
        expect(text).toContain('is not a field of Order')
      expect(shown.body.data[0].columns[1]).toMatchObject({ column: name, field: null })
    }
    const near = await send('id,margim\n9,1\n', { query: 'dryRun=true' })
    expect(near.text).not.toContain('margin')
    const { fields } = (await preview('id,total\n9,1\n')).body.data[0]
    expect(fields.map(({ name }: { name: string }) => name)).toEqual([
      ...['id', 'branch', 'total', 'ownerId'],
    ])
    // The first hundred records say which columns there are.
    const usual = Array.from({ length: 100 }, (_, at) => ({ id: 100 + at, total: at }))
    const lines = [...usual, { id: 9, margin: 666 }, { id: 10, total: 3 }]
    const file = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const done = await result(file, { fileName: 'a.jsonl', query: 'partial=true' })
    expect(done).toMatchObject({ created: 101, refused: 1 })
    expect((await reasons(done)).join()).toContain('margin: is not a field of Order')
  })

  test('of fields that may be read but not written are refused by name', async () => {
    await allow({ entities: ['Order'], actions: ['read'] })
    await allow({ entities: ['Order'], actions: ['update'], fields: ['total'] })
    const { send, result } = await clerk()
    const refused = await send('id,margin\n1,9\n', { query: 'mode=update' })
    expect(refused.status).toBe(403)
    expect(refused.body.validations).toMatchObject([{ field: 'margin' }])
    expect(await result('id,total\n1,9\n', { query: 'mode=update' })).toMatchObject({ updated: 1 })
  })

  test('of values that policies give are left out', async () => {
    await allow({ entities: ['Order'], actions: WRITES, set: { ownerId: '$me' } })
    const { result } = await clerk()
    const done = await result('id,total,ownerId\n9,1,somebody\n')
    expect(done).toMatchObject({ created: 1 })
    const [me] = await deps.db.select({ id: users.id }).from(users)
    const [stored] = await rows(
      deps.db,
      sql`select "ownerId" as owner from entities."order" where id = 9`,
    )
    expect(stored).toEqual({ owner: me?.id })
  })
})

describe.each(['', '&dryRun=true'])('rows%s', (dryRun) => {
  const before = [10, 20, 30, 40, 50]
  const totals = async () => (await orders()).map(({ total }) => total)

  test('of hidden records are those of none, or have a key that is taken', async () => {
    await allow(OWN_BRANCH)
    const { result, reasons } = await clerk({ branch: 'N1' })
    const file = 'id,total\n1,11\n4,44\n400,44\n'
    const changed = await result(file, { query: `mode=update&partial=true${dryRun}` })
    expect(changed).toMatchObject({ created: 0, updated: 1, unchanged: 0, refused: 2 })
    const [hidden = '', none = ''] = await reasons(changed)
    expect(none.replaceAll('400', '4')).toBe(hidden)
    const all = 'id,branch,total\n2,N1,22\n4,N1,44\n9,N1,99\n10,S1,100\n'
    const mixed = await result(all, { query: `mode=upsert&partial=true${dryRun}` })
    expect(mixed).toMatchObject({ created: 1, updated: 1, refused: 2 })
    const [taken = '', other = ''] = await reasons(mixed)
    expect(taken).toContain('exists already')
    expect(other).toContain('A policy does not allow')
    expect(await totals()).toEqual(dryRun ? before : [11, 22, 30, 40, 50, 99])
    const strict = await result(all, { query: `mode=upsert${dryRun}` })
    expect(strict.refused).toBe(2)
  })

  test('that may be seen and not changed are refused, and so are fields of some', async () => {
    await allow({ entities: ['Order'], actions: ['read'] })
    await allow({ ...OWN_BRANCH, actions: ['update'] })
    await allow({
      ...{ entities: ['Order'], actions: ['update'], fields: ['margin'] },
      where: [{ field: 'id', operator: 'eq', value: 3 }],
    })
    const { result, reasons } = await clerk({ branch: 'N1' })
    const file = 'id,total\n1,11\n3,33\n4,44\n'
    const done = await result(file, { query: `mode=update&partial=true${dryRun}` })
    expect(done).toMatchObject({ updated: 1, refused: 2 })
    const [field, record] = await reasons(done)
    expect(field).toContain('total')
    expect(record).toContain('may not change')
    expect(await totals()).toEqual(dryRun ? before : [11, 20, 30, 40, 50])
  })

  test('that would leave what may be written are refused', async () => {
    await allow(OWN_BRANCH)
    const { result } = await clerk({ branch: 'N1' })
    const file = 'id,branch\n1,S1\n2,N1\n'
    const done = await result(file, { query: `mode=update&partial=true${dryRun}` })
    expect(done).toMatchObject({ updated: 0, unchanged: 1, refused: 1 })
    expect((await orders())[0]).toMatchObject({ branch: 'N1' })
  })
})

test('records are found by no hidden field', async () => {
  const properties = [
    { name: 'total', type: 'integer' },
    { name: 'code', type: 'string', meta: { unique: true } },
  ]
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  await installTestEntity(deps, { entity: { name: 'Item', pks }, schema: { properties } })
  await allow({ entities: ['Item'], actions: WRITES })
  await allow({ entities: ['Item'], actions: ['read'], fields: ['code'], allow: false })
  const { send, preview } = await clerk()
  const sent = { entityName: 'Item' }
  const refused = await send('code,total\na,1\n', { ...sent, query: 'mode=update&key=code' })
  expect(refused.status).toBe(400)
  expect(refused.body.validations).toEqual([{ field: 'key', error: 'must be one of "id"' }])
  expect((await preview('id,total\n1,1\n', sent)).body.data[0].keys).toEqual([['id']])
})

test.runIf(testsOnPostgres())(
  'a file of a caller whose rules change meanwhile is not stored',
  async () => {
    await allow(OWN_BRANCH)
    const { send } = await clerk({ branch: 'N1' })
    await deps.db.transaction(async (tx) => {
      await tx.execute(sql`lock table entities."order" in exclusive mode`)
      await send('id,branch,total\n9,N1,1\n', { headers: { prefer: 'respond-async' } })
      const waiting = sql`select pid from pg_locks where not granted and relation = 'entities."order"'::regclass`
      await expect.poll(() => rows(tx, waiting)).toHaveLength(1)
      await deps.db.update(users).set({ profile: { branch: 'N2' } })
    })
    const ended = async () => one(await deps.db.select().from(imports))
    await expect.poll(ended).toMatchObject({
      ...{ status: 'FAILED', error: expect.stringContaining('rights changed meanwhile') },
    })
    expect(await orders()).toHaveLength(5)
  },
)

test('hidden records are new ones to whoever asks what fits a file', async () => {
  await allow(OWN_BRANCH)
  const { preview } = await clerk({ branch: 'N1' })
  const modes = ['id,total\n1,11\n', 'id,total\n4,44\n', 'id,total\n400,44\n'].map(
    async (file) => (await preview(file)).body.data[0].mode,
  )
  expect(await Promise.all(modes)).toEqual(['update', 'create', 'create'])
})
