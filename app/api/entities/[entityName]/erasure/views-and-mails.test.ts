import { beforeEach, expect, test } from 'vitest'
import { tablesOf } from '@/app/api/testing/every-byte'
import * as views from '@/app/api/views/route'
import { users } from '@/lib/db/schema'
import { readInbox } from '@/lib/testing/inbox'
import * as comments from '../[id]/comments/route'
import * as entity from '../route'
import { deps, done, erase, named } from './testing/customers'

beforeEach(async () => {
  for (const name of ['Quillmark', 'Other'])
    await done(entity.POST, 'POST', { body: { name, town: 'Bern' } })
})

const contains = (value: string) => [{ field: 'name', operator: 'contains', value }]

async function save(name: string, params: Record<string, string>): Promise<string> {
  const body = { entity: 'Customer', name, params: `${new URLSearchParams(params)}` }
  return (await done(views.POST, 'POST', { body })).data[0].id
}

test('saved views with a value of the conditions are told, and deleted by their ids', async () => {
  const nested = [{ operator: 'or', filters: contains('“QUILLMARK” & Söhne') }]
  const ids = [
    await save('By JSON', { filter: JSON.stringify(nested) }),
    await save('By text', { filter: 'name:eq:Quillmark,town:eq:Rome' }),
    await save('By words', { q: 'quillmark' }),
    await save('Quillmark’s', { sort: 'name:asc' }),
  ]
  await save('Of others', { filter: JSON.stringify(contains('Other')), cols: 'name,town' })

  const [tried] = (await erase(named('Quillmark'), 'dryRun=true')).body.data
  const told = tried.views.map(({ id }: { id: string }) => id)
  expect(told.toSorted()).toEqual(ids.toSorted())
  expect(tried.views[0]).toMatchObject({ entity: 'Customer', name: 'By JSON' })

  const [kept, ...chosen] = told
  const [trial] = (await erase(named('Quillmark'), `dryRun=true&views=${chosen}`)).body.data
  const [erased] = (await erase(named('Quillmark'), `expected=1&views=${chosen}`)).body.data
  expect(erased).toEqual({ ...trial, dryRun: false })
  expect(erased.views).toMatchObject([{ id: kept }])
  expect(erased.parts).toContainEqual({ table: 'engine.saved_views', deleted: 3, changed: 0 })

  // Once the records are erased, too, and nothing of the views is in the log of who saved them.
  await erase(named('Quillmark'), `expected=0&views=${kept}`)
  expect(await tablesOf(deps, ['Quillmark'])).toEqual([])
  const query = `entity=Customer`
  expect((await done(views.GET, 'GET', { query })).data).toMatchObject([{ name: 'Of others' }])
})

test('a view without a value of the conditions is deleted by no erasure', async () => {
  const id = await save('Of others', { filter: JSON.stringify(contains('Other')) })
  expect(await erase(named('Quillmark'), `expected=1&views=${id}`)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining(id) },
  })
  expect((await erase(named('Quillmark'), 'expected=1&views=1')).status).toBe(400)
  expect(await tablesOf(deps, ['Quillmark'])).toContain('entities.customer: Quillmark')
})

test('mails that wait and tell of comments on erased records go, those of others stay', async () => {
  const email = 'ann@example.com'
  await deps.db.insert(users).values({ email, roles: ['VIEWER'], status: 'ACTIVATED' })
  const text = `@${email}: see https://engine.example/entities/Customer?record=1&tab=comments`
  for (const id of ['1', '2']) await done(comments.POST, 'POST', { id, body: { text } })
  expect(await readInbox(deps)).toHaveLength(2)

  const [erased] = (await erase(named('Quillmark'), 'expected=1')).body.data
  expect(erased.parts).toContainEqual({ table: 'engine.mails', deleted: 1, changed: 0 })
  const [left, ...more] = await readInbox(deps)
  expect(more).toEqual([])
  expect(left?.text).toContain('/entities/Customer?record=2&tab=comments')
})
