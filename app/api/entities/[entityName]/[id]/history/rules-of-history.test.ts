import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { allow, clerk, defineOrders, deps } from '@/app/api/entities/[entityName]/testing/branches'
import { rows } from '@/lib/db/sql'
import { call } from '@/lib/testing/request'
import { POST } from './[version]/restore/route'
import { GET } from './route'

type Headers = Record<string, string>

const read = (headers: Headers, id = '1', query = '') =>
  call(deps, GET, {
    path: `/api/entities/Order/${id}/history?${query}`,
    headers,
    params: { entityName: 'Order', id },
  })

const restore = (headers: Headers, version: number, id = '1', query = '') =>
  call(deps, POST, {
    method: 'POST',
    path: `/api/entities/Order/${id}/history/${version}/restore?${query}`,
    headers,
    params: { entityName: 'Order', id, version: String(version) },
  })

const change = (set: string, id = 1) =>
  deps.db.execute(sql.raw(`update entities."order" set ${set} where id = ${id}`))

const OWN_BRANCH = {
  entities: ['Order'],
  actions: ['read', 'update', 'write', 'delete'],
  where: [{ field: 'branch', operator: 'eq', value: '$me.profile.branch' }],
}

type Version = { version: number; kind: string; changes: { field: string }[] }
const versionsOf = ({ body }: { body: { data: Version[] } }) => body.data
const told = ({ body }: { body: { data: Version[] } }) =>
  body.data.map(({ kind, changes }) => [kind, ...changes.map(({ field }) => field)])

beforeEach(() => defineOrders({ history: true }))

describe('the history of a record', () => {
  test('has the states that the caller may see, each as it was then', async () => {
    await allow(OWN_BRANCH)
    const headers = await clerk({ branch: 'N1' })
    await change(`total = 11`)
    await change(`branch = 'S1', total = 6660066`)
    await change(`total = 6660067`)
    await change(`branch = 'N1', total = 12`)
    const found = await read(headers)
    expect(told(found)).toEqual([
      ['update', 'id', 'branch', 'total', 'margin', 'note'],
      ['update', 'total'],
      ['earlier'],
    ])
    expect(found.text).not.toMatch(/666006|S1/)
    expect(found.body.pagination.total).toBe(3)
    const second = await read(headers, '1', 'size=1&page=1')
    expect(told(second)).toEqual([['update', 'total']])
    expect(versionsOf(second)[0]?.changes).toEqual([{ field: 'total', before: 10, after: 11 }])
  })

  test('of a hidden record is that of none, also when it was deleted', async () => {
    await allow(OWN_BRANCH)
    const headers = await clerk({ branch: 'N1' })
    await change(`branch = 'S1'`)
    const same = async () => {
      const [hidden, none] = [await read(headers, '1'), await read(headers, '77')]
      expect(hidden.status).toBe(404)
      expect(hidden.body.error).toBe(none.body.error.replace('77', '1'))
    }
    await same()
    await deps.db.execute(sql.raw(`delete from entities."order" where id = 1`))
    await same()
    await deps.db.execute(sql.raw(`delete from entities."order" where id = 2`))
    expect(told(await read(headers, '2'))).toMatchObject([
      ['delete', 'id', 'branch', 'total', 'margin', 'remark'],
      ['earlier'],
    ])
  })

  test('names no hidden field, and leaves out what changed hidden ones alone', async () => {
    await allow({ entities: ['Order'], fields: { except: ['margin', 'remark'] } })
    const headers = await clerk()
    await change(`margin = 6660066`)
    await change(`total = 11, margin = 6660067`)
    await change(`"$extra" = '{"note":"new","remark":"6660068"}'`)
    await change(`"$extra" = '{"note":"new","remark":"6660069"}'`)
    const found = await read(headers)
    expect(told(found)).toEqual([['update', 'note'], ['update', 'total'], ['earlier']])
    expect(found.text).not.toMatch(/margin|remark|666006/)
    expect(versionsOf(found)[0]).toMatchObject({ restorable: false })
  })

  test('shows fields where the version itself has them shown', async () => {
    await allow({ entities: ['Order'], fields: ['branch', 'total'] })
    await allow({ ...OWN_BRANCH, actions: ['read'], fields: ['margin'] })
    const headers = await clerk({ branch: 'S1' })
    await change(`branch = 'S1', margin = 11`)
    await change(`branch = 'N1', margin = 6660066`)
    const found = await read(headers)
    expect(versionsOf(found).map(({ changes }) => changes)).toEqual([
      [
        { field: 'branch', before: 'S1', after: 'N1' },
        { field: 'margin', before: 11 },
      ],
      [
        { field: 'branch', before: 'N1', after: 'S1' },
        { field: 'margin', after: 11 },
      ],
      [],
    ])
    expect(found.text).not.toContain('6660066')
  })
})

describe('a version', () => {
  test('that is hidden is not restored, nor one of a record that is', async () => {
    await allow(OWN_BRANCH)
    const headers = await clerk({ branch: 'N1' })
    const admin = await clerk({}, ['ADMIN'])
    await change(`branch = 'S1', total = 6660066`)
    await change(`branch = 'N1', total = 11`)
    const all = versionsOf(await read(admin))
    const hidden = await restore(headers, all[1]?.version ?? 0)
    expect(hidden.status).toBe(404)
    expect(hidden.text).not.toContain('6660066')
    await change(`branch = 'S1'`)
    expect((await restore(headers, all[0]?.version ?? 0)).status).toBe(404)
    await deps.db.execute(sql.raw(`delete from entities."order" where id = 1`))
    expect((await restore(headers, all[0]?.version ?? 0)).status).toBe(404)
  })

  test('gives back what the caller may see, and leaves the rest', async () => {
    await allow({
      entities: ['Order'],
      actions: ['read', 'update'],
      fields: { except: ['margin'] },
    })
    const headers = await clerk()
    await change(`total = 11, margin = 6660066`)
    await change(`total = 12, margin = 6660067`)
    const [, second] = versionsOf(await read(headers))
    const dry = await restore(headers, second?.version ?? 0, '1', 'dryRun=true')
    expect(dry.body.meta.changes).toEqual([{ field: 'total', before: 12, after: 11 }])
    const done = await restore(headers, second?.version ?? 0)
    expect(done.status).toBe(200)
    expect(dry.text).not.toMatch(/margin|666006/)
    const stored = await rows(deps.db, sql`select total, margin from entities."order" where id = 1`)
    expect(stored).toEqual([{ total: '11', margin: '6660067' }])
  })

  test('of a deleted record comes back only to those who see all of it', async () => {
    const actions = ['read', 'write', 'update', 'delete']
    await allow({ entities: ['Order'], actions, fields: { except: ['margin'] } })
    await allow({ ...OWN_BRANCH, principals: ['Chief'] })
    const headers = await clerk()
    await deps.db.execute(sql.raw(`delete from entities."order" where id = 1`))
    const [deletion] = versionsOf(await read(headers))
    const refused = await restore(headers, deletion?.version ?? 0)
    expect(refused.status).toBe(403)
    expect(refused.text).not.toContain('margin')
    const chief = await clerk({ branch: 'N1' }, ['Chief'])
    expect((await restore(chief, deletion?.version ?? 0)).status).toBe(200)
  })
})
