import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { movedRecords, placementOf } from '@/lib/db/cluster'
import { auditLog } from '@/lib/db/schema'
import { one, rows } from '@/lib/db/sql'
import { foreignKeys } from '@/lib/testing/define'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { GET as COUNT } from '../count/route'
import { GET, POST } from './route'

const deps = freshDeps()

const path = '/api/entities/Order/distribution'
const params = { entityName: 'Order' }
const move = async (distribution: unknown, query = '') => {
  const spec = { method: 'POST', path: path + query, params, body: { distribution }, as: 'ADMIN' }
  const { status, body } = await call(deps, POST, spec)
  return { status, error: body.error, ...body.data?.[0] }
}
const state = async () => {
  const { status, body } = await call(deps, GET, { path, params, as: 'ADMIN' })
  return { status, ...body.data?.[0] }
}
const stored = async () =>
  one(await rows<{ n: number }>(deps.db, sql`select count(*)::int as n from entities."order"`)).n
beforeEach(async () => {
  const customer = { name: 'customer', type: 'bigint' }
  const refers = { ...customer, meta: { reference: { entity: 'Customer', field: 'id' } } }
  await installTestEntity(deps, { entity: { name: 'Customer', distribution: 'local' } }, [{}])
  await installTestEntity(
    deps,
    { entity: { name: 'Order', distribution: 'local' }, schema: { properties: [refers] } },
    [{ customer: 1 }, { customer: 1 }, {}],
  )
})

describe('moving an entity', () => {
  test('is noted in the definition and audited', async () => {
    expect(await move('local')).toMatchObject({ status: 200, dryRun: false, steps: [] })
    expect(await state()).toMatchObject({ status: 200, entity: 'Order', distribution: 'local' })
    const audited = await deps.db.select().from(auditLog)
    expect(audited.map(({ action, objectType }) => [action, objectType])).toEqual([
      ['entities.distribute', 'Order'],
    ])
  })

  test('by what is no key is refused with what to do', async () => {
    const { status, error } = await move({ by: 'customer' })
    expect(status).toBe(422)
    expect(error).toContain('distribute by id, or make customer a key too')
  })

  test.each(['everywhere', { by: '' }, { by: 'id', beside: 'Customer' }])(
    'to %j is invalid input',
    async (distribution) => {
      expect((await move(distribution)).status).toBe(400)
    },
  )
})

describe.runIf(testsOnCitus())('on a cluster', () => {
  test('a dry run says what would be done and does nothing', async () => {
    expect((await move('reference', '?dryRun=true')).error).toContain('which is local')
    const spec = { method: 'POST', path: '/', params: { entityName: 'Customer' }, as: 'ADMIN' }
    await call(deps, POST, { ...spec, body: { distribution: 'reference' } })
    expect(await move({ by: 'id' }, '?dryRun=true')).toEqual({
      status: 200,
      entity: 'Order',
      dryRun: true,
      steps: ['Distribute Order by id over 2 shards'],
    })
    expect(await state()).toMatchObject({ distribution: 'local', placement: { type: 'local' } })
  })

  test('the records are moved, with what refers to them, and back', async () => {
    const spec = { method: 'POST', path: '/', params: { entityName: 'Customer' }, as: 'ADMIN' }
    await call(deps, POST, { ...spec, body: { distribution: 'reference' } })
    for (const distribution of [{ by: 'id' }, 'reference', { by: 'id' }, 'local']) {
      expect(await move(distribution)).toMatchObject({ status: 200, steps: [expect.anything()] })
      expect(await stored()).toBe(3)
      expect(await foreignKeys(deps)).toEqual(['order.customer → customer.id'])
      expect(await state()).toMatchObject({ distribution, move: null })
    }
  })

  test('the records that come back are counted', async () => {
    const alone = { params: { entityName: 'Alone' }, path: '/', as: 'ADMIN' }
    await installTestEntity(deps, { entity: { name: 'Alone', distribution: { by: 'id' } } }, [{}])
    const body = { distribution: 'local' }
    expect((await call(deps, POST, { ...alone, method: 'POST', body })).status).toBe(200)
    expect((await call(deps, COUNT, alone)).body.data).toEqual([{ count: 1 }])
  })

  test('shows how many have been copied', async () => {
    const table = { schema: 'entities', name: 'order' }
    await deps.db.execute(
      sql`insert into entities."order" (id) select n from generate_series(100, 400000) n`,
    )
    const spec = { method: 'POST', path: '/', params: { entityName: 'Customer' }, as: 'ADMIN' }
    await call(deps, POST, { ...spec, body: { distribution: 'reference' } })
    let most = 0
    const moving = move({ by: 'id' })
    let done = false
    void moving.finally(() => {
      done = true
    })
    while (!done) most = Math.max(most, (await movedRecords(deps.db, table)) ?? 0)
    expect((await moving).status).toBe(200)
    expect(most).toBeGreaterThan(0)
    expect(await placementOf(deps.db, table)).toMatchObject({ type: 'distributed', by: 'id' })
  })
})
