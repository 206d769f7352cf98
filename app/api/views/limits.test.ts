import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { call, testKey } from '@/lib/testing/request'
import { PATCH } from './[id]/route'
import { POST } from './route'

const deps = freshDeps()
const VIEW = { entity: 'Thing', name: 'Open ones', params: '' }

const person = async (...roles: string[]) => {
  const headers = { authorization: `Bearer ${await testKey(deps, roles)}` }
  const asked = { headers, path: '/api/views' }
  return {
    save: (body: object) =>
      call(deps, POST, { ...asked, method: 'POST', body: { ...VIEW, ...body } }),
    change: (id: string, body: object) =>
      call(deps, PATCH, { ...asked, method: 'PATCH', body, params: { id } }),
  }
}

/** Views of the only person who has some. */
const fill = (count: number, entity: string) =>
  deps.db.execute(sql`insert into engine.saved_views (entity, name, owner_id, params)
    select ${entity}::text, ${entity} || 'filled ' || n, owner_id, ''
    from generate_series(1, ${count}::int) n, (select owner_id from engine.saved_views limit 1) owner`)

describe('a person keeps', () => {
  test('50 views of an entity, also when they are saved at the same time', async () => {
    const viewer = await person('VIEWER')
    await viewer.save({})
    await fill(46, 'Thing')
    const saved = await Promise.all(
      Array.from({ length: 6 }, (_, n) => viewer.save({ name: `at once ${n}` })),
    )
    expect(saved.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409])
    expect((await viewer.save({ name: 'more' })).body.error).toMatch(/50 views of Thing/)
    expect((await viewer.save({ entity: 'Other' })).status).toBe(201)
    expect((await (await person('VIEWER')).save({})).status).toBe(201)
  })

  test('500 views of all', async () => {
    const viewer = await person('VIEWER')
    await viewer.save({})
    for (let n = 0; n < 10; n++) await fill(n ? 50 : 49, `Entity${n}`)
    expect((await viewer.save({ entity: 'Other' })).body.error).toMatch(/500 views/)
  })
})

describe('without the right to publish', () => {
  test.each([
    { shared: true },
    { visibility: 'everyone' },
    { visibility: 'role', role: 'EDITOR' },
    { visibility: 'role', role: 'VIEWER' },
  ])('%j is refused', async (audience) => {
    for (const roles of [['VIEWER'], ['VIEWER', 'Clerk']]) {
      const viewer = await person(...roles)
      const { status, body } = await viewer.save(audience)
      expect([status, body.error]).toEqual([403, expect.stringContaining('"views:publish"')])
      const { id } = (await viewer.save({})).body.data[0]
      expect((await viewer.change(id, audience)).status).toBe(403)
      expect((await viewer.change(id, { params: 'q=x' })).status).toBe(200)
    }
  })

  test('a view that was published is not changed for others, but made private', async () => {
    const viewer = await person('VIEWER')
    const { id } = (await viewer.save({ defaultForMe: true })).body.data[0]
    await deps.db.execute(sql`update engine.saved_views set shared = true`)
    expect((await viewer.change(id, { params: 'q=x' })).status).toBe(403)
    expect((await viewer.change(id, { defaultForMe: false })).status).toBe(200)
    expect((await viewer.change(id, { visibility: 'private' })).status).toBe(200)
  })

  test('editors and administrators have it', async () => {
    for (const role of ['EDITOR', 'ADMIN'])
      expect((await (await person(role)).save({ shared: true })).status).toBe(201)
  })
})

test('a name with a line break is refused, but one that is stored may stay', async () => {
  const viewer = await person('VIEWER')
  expect((await viewer.save({ name: 'Open\nones' })).status).toBe(400)
  const { id } = (await viewer.save({})).body.data[0]
  expect((await viewer.change(id, { name: 'a\r\nb' })).body.validations).toEqual([
    { field: 'name', error: expect.stringContaining('line breaks') },
  ])
  await deps.db.execute(sql`update engine.saved_views set name = ${'a\nb'}`)
  expect((await viewer.change(id, { name: 'a\nb', params: 'q=x' })).status).toBe(200)
})
