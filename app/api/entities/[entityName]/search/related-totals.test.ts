import { sql } from 'drizzle-orm'
import { test as always, expect } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/route'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'

const deps = freshDeps()
/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

const define = (name: string, properties: object[]) =>
  installTestEntity(deps, {
    entity: { name, pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }] },
    schema: { properties },
  })

test('a total by referring records follows these, whatever other totals of the entity changed before', async () => {
  await define('Shelf', [{ name: 'room', type: 'integer' }])
  const to = { entity: 'Shelf', field: 'id' }
  await define('Book', [{ name: 'shelf', type: 'decimal', reference: to }])
  await deps.db.execute(sql`insert into entities.shelf (id, room) values (1, 1), (2, 1), (3, 2)`)
  await deps.db.execute(sql`insert into entities.book (id, shelf) values (1, 1)`)
  const headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  const totalOf = async (filter: string) => {
    const path = `/x?fields=id&filter=${filter}`
    const { body } = await call(deps, GET, { path, params: { entityName: 'Shelf' }, headers })
    return [body.data.length, body.pagination.total]
  }
  // Both totals are seen to change, so that both are counted unless their tables are as before.
  for (let id = 10; id < 15; id++) {
    await deps.db.execute(sql`insert into entities.shelf (id, room) values (${id}, 7)`)
    expect(await totalOf('room:eq:1')).toEqual([2, 2])
  }
  for (let id = 20; id < 25; id++) {
    await deps.db.execute(sql`insert into entities.shelf (id, room) values (${id}, 7)`)
    expect(await totalOf('BookByShelf:some')).toEqual([1, 1])
  }
  await deps.db.execute(sql`insert into entities.book (id, shelf) values (2, 2)`)
  expect(await totalOf('BookByShelf:some')).toEqual([2, 2])
  await deps.db.execute(sql`delete from entities.book`)
  expect(await totalOf('BookByShelf:some')).toEqual([0, 0])
})
