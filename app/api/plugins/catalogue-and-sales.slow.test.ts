import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { changeByHand, createByHand, deleteByHand, valuesOf } from './testing/by-hand'
import { CATALOGUE, catalogue, SALES, sales } from './testing/catalogue-and-sales'
import { exportPlugin } from './testing/export-api'
import { install, upload, verdicts } from './testing/plugin-api'
import { rolledBack, run, state } from './testing/rollbacks'
import { uninstall } from './testing/uninstall-api'
import { deps } from './testing/versions'

const OWN = {
  [CATALOGUE]: ['Product', 'Review'],
  [SALES]: ['Coupon', 'Customer', 'Purchase'],
}

/** Entities by their owner. */
async function owned(): Promise<Record<string, string[]>> {
  const query = sql`select plugin_id as owner, array_agg(name order by name) as names from engine.entities group by 1`
  const found = await rows<{ owner: string | null; names: string[] }>(deps.db, query)
  return Object.fromEntries(found.map(({ owner, names }) => [String(owner), names]))
}

/** All that is stored of records and definitions, but for which version a plugin counts as. */
async function model() {
  const { 'engine.plugins': _, ...rest } = await state()
  return rest
}

const exported = async () => {
  const [first, second] = [await exportPlugin(deps, CATALOGUE), await exportPlugin(deps, SALES)]
  expect([first.error, second.error]).toEqual([undefined, undefined])
  return [first, second] as const
}

/** Every record of both, by a text that people know it by. */
const everything = async () => ({
  products: await valuesOf('Product', 'title'),
  reviews: await valuesOf('Review', 'words'),
  customers: await valuesOf('Customer', 'email'),
  purchases: await valuesOf('Purchase', 'note'),
  coupons: await valuesOf('Coupon', 'code'),
})

const EVERYTHING = {
  products: ['My cup', 'dish 3'],
  reviews: ['review 1', 'review 2', 'review 3', 'review by hand'],
  customers: ['ann@example.com', 'bob@example.com', 'cora@example.com'],
  purchases: ['order 1', 'order 2', 'order 4', 'order 5', 'order by hand', 'order of mine'],
  coupons: ['SPRING'],
}

test('two plugins that need each other live through three versions, edits, a rollback, an uninstall and an export', async () => {
  await run(catalogue(1))
  await run(sales(1))
  await changeByHand('Product', 'cup', { name: 'My cup' })
  await createByHand('Review', { product: 'dish', customer: 'bob', words: 'review by hand' })
  await createByHand('Order', { product: 'dish', customer: 'bob', note: 'order by hand' })
  await createByHand('Customer', { id: 'cora', email: 'ann@example.com' })
  await run(catalogue(2))

  // One file of schemas is refused for one record: nothing is written against the first version's model.
  const before = await model()
  const refused = await install(deps, sales(2))
  expect(verdicts(refused.logs)).toEqual({
    'EngineSchemas/all.json': 'Incompatible change',
    'EngineEntities/Customer.json': 'unchanged',
    'EngineEntities/Coupon.json': 'Missing dependency',
    'EngineEntities/orders.json': 'Missing dependency',
    'Customer/data.json': 'Missing dependency',
    'Coupon/data.json': 'Missing dependency',
    'Purchase/data.json': 'Missing dependency',
  })
  expect(await model()).toEqual(before)

  await changeByHand('Customer', 'cora', { email: 'cora@example.com' })
  await run(sales(2))
  await changeByHand('Purchase', '2', { note: 'order of mine' })
  await deleteByHand('Purchase', '3')
  await run(catalogue(3))
  const last = await run(sales(3))
  const expected = {
    ...EVERYTHING,
    purchases: ['order 1', 'order 4', 'order 5', 'order by hand', 'order of mine'],
  }
  expect(await everything()).toEqual(expected)

  // Taken back and again: as it was, and counted on.
  const upgraded = await state()
  await rolledBack(await rolledBack(last))
  expect(await state()).toEqual(upgraded)
  await createByHand('Purchase', { product: 'cup', customer: 'cora', note: 'order 2' })
  expect(await everything()).toEqual(EVERYTHING)

  // Neither goes without the other; both leave their entities behind, and take them back.
  for (const id of [CATALOGUE, SALES]) expect((await uninstall(deps, id)).status).toBe(409)
  for (const id of [SALES, CATALOGUE])
    expect((await uninstall(deps, id, '?records=keep')).status).toBe(200)
  expect(await owned()).toEqual({ null: Object.values(OWN).flat().sort() })
  await run(catalogue(3))
  await run(sales(3))
  expect(await owned()).toEqual(OWN)
  expect(await everything()).toEqual(EVERYTHING)

  // What is exported is all of it, and installs again where nothing is left of them.
  const archives = await exported()
  expect((await uninstall(deps, CATALOGUE, `?with=${SALES}`)).status).toBe(200)
  expect(await owned()).toEqual({})
  for (const { bytes } of archives)
    expect((await upload(deps, bytes)).body.data).toMatchObject({ failedCount: 0 })
  expect(await everything()).toEqual(EVERYTHING)
  expect((await exported()).map(({ files }) => files)).toEqual(archives.map(({ files }) => files))
})
