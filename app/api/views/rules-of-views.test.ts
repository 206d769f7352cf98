import { expect, test } from 'vitest'
import { allow, clerk, deps } from '@/app/api/entities/[entityName]/testing/branches'
import { call } from '@/lib/testing/request'
import { DELETE, PATCH } from './[id]/route'
import { GET, POST } from './route'

type Headers = Record<string, string>

const save = async (headers: Headers, name: string, params: string) => {
  const body = { entity: 'Order', name, params, shared: true }
  const saved = await call(deps, POST, { path: '/api/views', method: 'POST', headers, body })
  return saved.body.data[0].id as string
}

const list = (headers: Headers) => call(deps, GET, { path: '/api/views?entity=Order', headers })

test('a view of others that names a hidden field is not there', async () => {
  const chief = await clerk({}, ['ADMIN'])
  const named = [
    await save(chief, 'In a filter', 'filter=total%3Agt%3A1%2Cmargin%3Agt%3A66600661'),
    await save(chief, 'In the sort', 'sort=margin%3Adesc'),
    await save(chief, 'Undeclared', 'columns=id,remark'),
    await save(
      chief,
      'Of a reference',
      `filter=${encodeURIComponent('branch.budget:gt:66600662')}`,
    ),
  ]
  await save(chief, 'Others', 'filter=total:gt:1,margins:eq:1,premargin:gt:2&sort=branch.region')
  await allow({ entities: ['Order'], fields: { except: ['margin', 'remark'] } })
  await allow({ entities: ['Branch'], fields: ['region'] })
  const headers = await clerk()
  const found = await list(headers)
  expect(found.body.data.map(({ name }: { name: string }) => name)).toEqual(['Others'])
  expect(found.text).not.toMatch(/[^e]margin:|remark|budget|666006/)
  expect((await list(chief)).body.data).toHaveLength(5)
  for (const id of named) {
    const at = { path: `/api/views/${id}`, headers, params: { id } }
    const changed = await call(deps, PATCH, {
      ...at,
      method: 'PATCH',
      body: { defaultForMe: true },
    })
    const removed = await call(deps, DELETE, { ...at, method: 'DELETE' })
    expect([changed.status, removed.status]).toEqual([404, 404])
  }
})

test('a view of others that names a field of an entity that may not be read is not there', async () => {
  const chief = await clerk({}, ['ADMIN'])
  await save(chief, 'Rich', `filter=${encodeURIComponent('branch.budget:gt:66600662')}`)
  await save(chief, 'Of one', 'filter=branch:eq:N1')
  await allow({ entities: ['Order'] })
  const found = await list(await clerk())
  expect(found.body.data.map(({ name }: { name: string }) => name)).toEqual(['Of one'])
})

test('one’s own views stay', async () => {
  await allow({ entities: ['Order'] })
  const headers = await clerk()
  const body = { entity: 'Order', name: 'Mine', params: 'sort=margin:desc' }
  await call(deps, POST, { path: '/api/views', method: 'POST', headers, body })
  await allow({ entities: ['Order'], fields: ['margin'], allow: false })
  await expect.poll(async () => (await list(headers)).body.data).toMatchObject([{ name: 'Mine' }])
})
