import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LAYERS } from '@/lib/layers'
import { uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { testKey } from '@/lib/testing/request'
import { DELETE, GET } from './entities/[entityName]/[id]/route'
import { POST as CREATE } from './entities/[entityName]/route'
import { POST as SEARCH } from './entities/[entityName]/search/route'
import { POST as INSTALL } from './plugins/install/zip/route'

const deps = freshDeps({ DISABLED_LAYERS: LAYERS.map(({ name }) => name).join() })

test('a server without any layer installs a sample, and searches, creates, reads and deletes records', async () => {
  const key = await testKey(deps, ['ADMIN'])
  const headers = { authorization: `Bearer ${key}` }
  const ask = async (
    handler: typeof CREATE,
    path: Record<string, string>,
    method: string,
    body?: unknown,
  ) => {
    const json = { ...headers, 'content-type': 'application/json' }
    const sent =
      body instanceof FormData ? { headers, body } : { headers: json, body: JSON.stringify(body) }
    const request = new Request('http://test.local/api', { method, ...sent })
    const response = await handler(request, { params: Promise.resolve(path) })
    return { status: response.status, body: await response.json() }
  }
  const zip = readFileSync('public/samples/world-airports.zip')
  const installed = await ask(INSTALL, {}, 'POST', uploadOf(zip))
  expect(installed.status).toBe(200)
  const airport = { entityName: 'Airport' }
  const page = { pagination: { page: 0, size: 3 } }
  const found = await ask(SEARCH, airport, 'POST', page)
  expect(found.body.pagination.total).toBeGreaterThan(1000)
  const { persistenceId, ...record } = found.body.data[0]
  expect((await ask(GET, { ...airport, id: persistenceId }, 'GET')).body.data[0]).toEqual(
    found.body.data[0],
  )
  expect((await ask(DELETE, { ...airport, id: persistenceId }, 'DELETE')).status).toBe(200)
  expect((await ask(SEARCH, airport, 'POST', page)).body.pagination.total).toBe(
    found.body.pagination.total - 1,
  )
  expect((await ask(CREATE, airport, 'POST', record)).body.data[0]).toMatchObject(record)
})
