import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { install, verdicts } from '@/app/api/plugins/testing/plugin-api'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { one, rows } from '@/lib/db/sql'
import type { Handler } from '@/lib/http/route'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call, testKey } from '@/lib/testing/request'
import { DELETE as DELETE_ONE } from './[id]/route'
import { POST as CREATE_MANY, DELETE } from './batch/route'
import { POST as CREATE } from './route'

const deps = freshDeps()

const archive = (records: object[], type = 'integer') =>
  pluginFiles({
    EngineEntities: {
      files: { 'Part.json': { name: 'Part', insertDuplicate: 'Upsert', distribution: 'local' } },
    },
    EngineSchemas: {
      files: { 'Part.json': { name: 'Part', properties: [{ name: 'size', type }] } },
    },
    Part: {
      manifest: { target: 'Part', insertDuplicate: 'Upsert' },
      files: { 'data.json': records },
    },
  })

const parts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at, size: at % 7 }))

type Kept = { total: string | null; counted: string; since: string }

/** What is kept, and what there is. */
const kept = async () =>
  one(
    await rows<Kept>(
      deps.db,
      sql`select k.total::text, (select count(*)::text from entities.part) as counted, t.since::text as since
          from engine.current_totals k join engine.entity_totals t using (relation)`,
    ),
  )

test('the total is kept through everything that the API does', async () => {
  const headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  const send = async (handler: Handler, method: string, body?: object, query = '') => {
    const path = `/api/entities/Part${query}`
    const params = { entityName: 'Part', ...(handler === DELETE_ONE ? { id: '1' } : {}) }
    const response = await call(deps, handler, { method, path, params, headers, body })
    expect(response.status, response.text).toBeLessThan(300)
    return response.body
  }
  const has = async (total: number) => {
    const { total: found, counted } = await kept()
    expect({ found, counted }).toEqual({ found: String(total), counted: String(total) })
  }
  const installed = await install(deps, archive(parts(1, 3000)))
  expect(Object.values(verdicts(installed.logs))).not.toContain('FAILED')
  await has(3000)
  const { since } = await kept()
  await install(deps, archive(parts(2991, 3010)))
  await has(3010)
  await install(deps, archive(parts(5000, 5100)), { query: '?dryRun=true' })
  await has(3010)
  await send(CREATE, 'POST', { size: 1 })
  await send(CREATE_MANY, 'POST', parts(6000, 6009), '/batch')
  await has(3021)
  await send(DELETE_ONE, 'DELETE')
  await has(3020)
  const condition = { entity: 'Part', query: [{ field: 'id', operator: 'gte', value: 6000 }] }
  await send(DELETE, 'DELETE', condition, '/batch?dryRun=true')
  await has(3020)
  const { meta } = await send(DELETE, 'DELETE', condition, '/batch?undo=1d')
  await has(3010)
  const batch = { batchId: meta.batchId }
  await call(deps, RESTORE, { method: 'POST', path: '/api/trash', params: batch, headers })
  await has(3020)
  await install(deps, archive([], 'string'))
  await has(3020)
  await send(DELETE, 'DELETE', { entity: 'Part' }, '/batch')
  await has(0)
  expect((await kept()).since, 'without a recount').toBe(since)
})
