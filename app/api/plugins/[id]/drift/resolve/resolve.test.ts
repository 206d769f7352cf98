import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { drift, properties, records, resolve } from '../../../testing/drifted-things'
import { upload } from '../../../testing/plugin-api'
import { deps, search, version } from '../../../testing/versions'

test('adopted records count as given', async () => {
  const { body } = await resolve('adopt', ['1', '2', '10', '11', 'no'])
  expect(body.data).toEqual([{ resolved: 3 }])
  expect((await drift()).body.data).toEqual([])
  await deps.db.execute(sql`update entities.thing set name = 'Mug' where id = 11`)
  expect((await drift()).body.data).toMatchObject([{ key: '11', change: 'edited' }])
})

test('reverted records are as the plugin gave them', async () => {
  expect((await resolve('revert', ['1', '2'])).body.data).toEqual([{ resolved: 2 }])
  expect(await search()).toEqual([
    ...records.map((record) => ({ ...record })),
    { id: 11, name: 'Own', price: null },
  ])
  expect((await resolve('revert', ['11'])).body.data).toEqual([{ resolved: 1 }])
  expect(await search({ fields: ['id'] })).toHaveLength(3)
  expect((await drift()).body.pagination.total).toBe(0)
})

test('records that refuse the plugin’s values stay as they are', async () => {
  await deps.db.execute(
    sql`alter table entities.thing add constraint no_dish check (name <> 'Dish')`,
  )
  const before = await search()
  expect((await resolve('revert', ['1', '2'])).status).toBe(409)
  expect(await search()).toEqual(before)
  expect((await resolve('revert', ['1'], 'VIEWER')).status).toBe(403)
})

test('a plan that was made before records were resolved does not hold', async () => {
  const next = version({ properties, records: [{ id: 1, name: 'Mug', price: 4 }] })
  const { body } = await upload(deps, next, { query: '?dryRun=true' })
  await resolve('adopt', ['1'])
  const { status } = await upload(deps, next, { query: `?seal=${body.data.plan.seal}` })
  expect(status).toBe(409)
})
