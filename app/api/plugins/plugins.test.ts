import { asc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditLog } from '@/lib/db/schema'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as GET_PLUGIN } from './[id]/route'
import { GET as GET_EVENTS } from './history/[id]/events/route'
import { GET as GET_LOGS } from './history/[id]/logs/route'
import { GET as GET_INSTALL } from './history/[id]/route'
import { GET as GET_HISTORY } from './history/route'
import { POST as INSTALL } from './install/zip/route'
import { GET as GET_PLUGINS } from './route'

const deps = freshDeps()

async function install(id: string, version = '1.0.0'): Promise<number> {
  const entity = `E_${id.replaceAll(/\W/g, '_')}`
  const files = pluginFiles(
    { EngineEntities: { files: { 'E.json': { name: entity } } } },
    { id, version, name: `Plugin ${id}` },
  )
  const { body } = await call(deps, INSTALL, {
    method: 'POST',
    path: '/api/plugins/install/zip',
    body: uploadOf(await archiveOf(files)),
    as: 'ADMIN',
  })
  return body.data.history
}

describe('GET /api/plugins', () => {
  test('lists what is installed, with the envelope and pagination of a search', async () => {
    await install('com.example.a')
    await install('com.example.b')
    const { status, body } = await call(deps, GET_PLUGINS, {
      path: '/api/plugins?filter=id:ends:.b',
      as: 'ADMIN',
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      data: [{ id: 'com.example.b', version: '1.0.0' }],
      pagination: { current: 0, total: 1, pages: 1, first: true, last: true },
    })
  })

  test('one plugin has its manifest and entities, of the version installed last', async () => {
    await install('com.example.a', '1.0.0')
    const historyId = await install('com.example.a', '1.1.0')
    const { body } = await call(deps, GET_PLUGIN, {
      path: '/api/plugins/com.example.a',
      as: 'ADMIN',
      params: { id: 'com.example.a' },
    })
    expect(body.data).toMatchObject([
      {
        id: 'com.example.a',
        version: '1.1.0',
        lastHistoryId: historyId,
        entities: ['E_com_example_a'],
        manifest: { name: 'Plugin com.example.a' },
      },
    ])
  })

  test('an unknown plugin is 404', async () => {
    expect(
      await call(deps, GET_PLUGIN, { path: '/api/plugins/x', as: 'ADMIN', params: { id: 'x' } }),
    ).toMatchObject({
      status: 404,
      body: { data: [], code: 404, status: 'NOT_FOUND', error: expect.stringContaining('"x"') },
    })
  })
})

describe('GET /api/plugins/history', () => {
  test('shows the newest install first, and filters', async () => {
    const first = await install('com.example.a')
    const second = await install('com.example.b')
    const history = async (query = '') =>
      (
        await call(deps, GET_HISTORY, { path: `/api/plugins/history${query}`, as: 'ADMIN' })
      ).body.data.map(({ id }: { id: string }) => id)
    expect(await history()).toEqual([second, first])
    expect(await history('?sort=startedAt:asc')).toEqual([first, second])
    expect(await history('?filter=pluginId:eq:com.example.a,status:eq:SUCCESS')).toEqual([first])
  })

  test('an entry of the list and the entry alone say the same', async () => {
    const id = await install('com.example.a')
    const [listed] = (await call(deps, GET_HISTORY, { path: '/api/plugins/history', as: 'ADMIN' }))
      .body.data
    const [alone] = (
      await call(deps, GET_INSTALL, {
        path: `/api/plugins/history/${id}`,
        as: 'ADMIN',
        params: { id: String(id) },
      })
    ).body.data
    expect(listed).toEqual(alone)
    expect(alone).toMatchObject({ id, persistenceId: String(id) })
  })

  test('installs are numbered in the order in which they start, as JSON numbers everywhere', async () => {
    expect([await install('com.example.a'), await install('com.example.b')]).toEqual([1, 2])
    const listed = await call(deps, GET_HISTORY, {
      path: '/api/plugins/history?filter=id:gte:2',
      as: 'ADMIN',
    })
    expect(listed.body.data).toMatchObject([{ id: 2, pluginId: 'com.example.b' }])
    const [plugin] = (await call(deps, GET_PLUGINS, { path: '/api/plugins', as: 'ADMIN' })).body
      .data
    expect(plugin.lastHistoryId).toBe(1)
    const [entry] = await deps.db
      .select({ details: auditLog.details })
      .from(auditLog)
      .where(eq(auditLog.action, 'plugins.install'))
      .orderBy(asc(auditLog.id))
    expect(entry?.details).toMatchObject({ history: 1 })
  })

  const WRONG = ['abc', '1.5', '-1', '0', '1e3', '0x1', ' 1', '99999999999999999999']
  test.each([
    ...[...WRONG, crypto.randomUUID()].map((id) => [id, 400] as const),
    ['9007199254740991', 404] as const,
    ['2147483648', 404] as const,
  ])('id %s is %i, at every address', async (id, status) => {
    for (const handler of [GET_INSTALL, GET_LOGS, GET_EVENTS])
      expect(
        await call(deps, handler, {
          path: `/api/plugins/history/${encodeURIComponent(id)}`,
          as: 'ADMIN',
          params: { id },
        }),
      ).toMatchObject({ status, body: { code: status } })
  })

  test('logs are paged and filtered by status; another status is 400', async () => {
    const id = await install('com.example.a')
    const logs = (query: string) =>
      call(deps, GET_LOGS, {
        path: `/api/plugins/history/${id}/logs${query}`,
        as: 'ADMIN',
        params: { id: String(id) },
      })
    expect((await logs('?status=failed')).body).toMatchObject({
      data: [],
      pagination: { total: 0, pages: 0, first: true, last: true },
    })
    expect((await logs('?status=created&size=1')).body).toMatchObject({
      data: [{ path: 'EngineEntities/E.json', status: 'created' }],
      pagination: { total: 1, last: true },
    })
    expect((await logs('?status=broken')).status).toBe(400)
  })

  test.each([
    [undefined, 401],
    ['EDITOR', 403],
    ['VIEWER', 403],
  ])('as %s every route returns %i', async (as, status) => {
    for (const handler of [GET_PLUGINS, GET_HISTORY]) {
      expect((await call(deps, handler, { path: '/api/plugins', as })).status).toBe(status)
    }
  })
})
