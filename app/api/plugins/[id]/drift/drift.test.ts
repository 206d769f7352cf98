import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { drift, EDITED, properties } from '../../testing/drifted-things'
import { deps, installed, integer, version } from '../../testing/versions'
import { GET } from './route'

const DELETED = { entity: 'Thing', key: '2', change: 'deleted', fields: [] }
const ADDED = { entity: 'Thing', key: '11', change: 'added', fields: [] }

test('lists what was added, edited and deleted since the plugin gave it', async () => {
  const { status, body } = await drift()
  expect(status).toBe(200)
  expect(body.data).toEqual([EDITED, DELETED, ADDED])
  expect(body.pagination).toMatchObject({ total: 3, pages: 1 })
  expect((await drift('?change=added')).body.data).toEqual([ADDED])
  expect((await drift('?change=edited&entity=Thing')).body.data).toEqual([EDITED])
  const page = await drift('?size=1&page=1')
  expect([page.body.data, page.body.pagination.total]).toEqual([[DELETED], 3])
  expect((await drift('?entity=Nothing')).status).toBe(404)
})

test('shows nothing of entities that the caller may not read', async () => {
  expect((await drift('', 'OTHER')).status).toBe(403)
  await deps.db.execute(
    sql`update engine.entities set definition = jsonb_set(definition, '{permissions,read}', 'false')`,
  )
  const { findEntity, registryChanged } = await import('@/lib/registry/registry')
  await registryChanged(deps)
  await findEntity(deps, 'Thing')
  expect((await drift()).body.data).toEqual([])
  expect((await drift('?entity=Thing')).status).toBe(403)
})

test('a column added since is no difference', async () => {
  await installed(version({ properties: [...properties, integer('stock', { default: 4 })] }))
  expect((await drift('?change=edited')).body.data).toEqual([EDITED])
})

test('records of several keys that were added are listed, too', async () => {
  const pks = ['shelf', 'id'].map((key) => ({ key, strategy: 'Fixed', type: 'number' }))
  const thing = { name: 'Part', pks, distribution: { by: 'shelf' } }
  const data = [{ shelf: 1, id: 1 }]
  await installed(
    pluginFiles(
      {
        EngineEntities: { files: { 'Part.json': thing } },
        Part: { files: { 'data.json': data } },
      },
      { id: 'com.example.parts' },
    ),
  )
  await deps.db.execute(sql`insert into entities.part (shelf, id) values (1, 2)`)
  const path = '/api/plugins/com.example.parts/drift'
  const { status, body } = await call(deps, GET, {
    ...{ path, params: { id: 'com.example.parts' }, as: 'ADMIN' },
  })
  expect(status).toBe(200)
  expect(body.data).toMatchObject([{ entity: 'Part', change: 'added' }])
})
