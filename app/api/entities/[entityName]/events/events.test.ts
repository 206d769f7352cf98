import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { POST as ROLL_BACK } from '@/app/api/plugins/history/[id]/rollback/route'
import { historyOf, install } from '@/app/api/plugins/testing/plugin-api'
import { deps, integer, version } from '@/app/api/plugins/testing/versions'
import { entities } from '@/lib/db/schema'
import { registryChanged } from '@/lib/registry/registry'
import { testsOnCitus } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as CHANGES } from '../changes/route'
import { PUT } from './route'

const params = { entityName: 'Thing' }

const THINGS = version({
  entity: { distribution: 'local' },
  properties: [integer('n')],
  records: [{ id: 1, n: 2 }],
})

async function turn(enabled: unknown, query = '', entityName = 'Thing') {
  const path = `/api/entities/${entityName}/events${query}`
  const spec = { method: 'PUT', path, params: { entityName }, body: { enabled }, as: 'ADMIN' }
  const { status, body } = await call(deps, PUT, spec)
  return { status, error: body.error, ...body.data?.[0] }
}

/** The status of its feed. */
const followed = async () =>
  (await call(deps, CHANGES, { path: '/api/entities/Thing/changes', params, as: 'ADMIN' })).status

describe('events of an entity', () => {
  test('are turned on and off by versions of its plugin, which can be rolled back', async () => {
    await install(deps, THINGS)
    expect(await followed()).toBe(409)
    const planned = await turn(true, '?dryRun=true')
    expect(planned).toMatchObject({ status: 200, dryRun: true, history: null })
    expect(planned.steps).toEqual([expect.stringContaining('the changes of the records of Thing')])
    expect(await followed()).toBe(409)
    const { history, ...on } = await turn(true)
    expect(on).toMatchObject({ status: 200, enabled: true, steps: planned.steps })
    expect(await historyOf(deps, history)).toMatchObject({ status: 'SUCCESS', mode: 'atomic' })
    expect(await followed()).toBe(200)
    expect(await turn(true)).toMatchObject({ status: 200, history: null, steps: [] })
    expect(await turn(false)).toMatchObject({ status: 200, enabled: false })
    expect(await followed()).toBe(409)
    const [path, id] = [`/api/plugins/history/x/rollback`, String(history + 1)]
    await call(deps, ROLL_BACK, { method: 'POST', path, params: { id }, as: 'ADMIN' })
    expect(await followed()).toBe(200)
  })

  test('are refused where there is nothing to turn, and the reason is said', async () => {
    await install(deps, THINGS)
    expect((await turn('yes')).status).toBe(400)
    expect((await turn(true, '', 'Thin')).status).toBe(404)
    expect((await turn(true, '', 'EngineUsers')).status).toBe(405)
    await deps.db.update(entities).set({ pluginId: null }).where(eq(entities.name, 'Thing'))
    await registryChanged(deps)
    expect(await turn(true)).toMatchObject({
      status: 409,
      error: expect.stringContaining('no plugin'),
    })
  })

  test('are refused for distributed records of a cluster, in plan and install', async (context) => {
    context.skip(!testsOnCitus())
    await install(
      deps,
      version({ entity: { distribution: { by: 'id' } }, properties: [integer('n')] }),
    )
    for (const query of ['?dryRun=true', ''])
      expect(await turn(true, query)).toMatchObject({
        status: 422,
        error: expect.stringContaining('events'),
      })
    expect(await followed()).toBe(409)
  })
})
