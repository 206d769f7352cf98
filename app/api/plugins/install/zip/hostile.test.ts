import { beforeEach, expect, test, vi } from 'vitest'
import type { Deps } from '@/lib/runtime'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as LOGS } from '../../history/[id]/logs/route'
import { POST as INSTALL } from './route'

let deps: Deps
vi.mock('@/lib/runtime', () => ({ getDeps: async () => deps }))
beforeEach(async () => {
  deps = await testDeps()
})

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const notes = (json: string) => ({ Note: { files: { 'data.json': json } } })
const schema = (json: string) => ({ EngineSchemas: { files: { 'X.json': json } } })

test.each([
  [
    'records nested 100,000 deep',
    notes(`[{"id":1,"x":${nested(100_000)}}]`),
    'Invalid JSON',
    /deeper/,
  ],
  ['records nested 200 deep', notes(`[{"id":1,"x":${nested(200)}}]`), 'Invalid record', /deeper/],
  [
    'text nested 100,000 deep that ends early',
    notes(`[{"id":1,"x":${nested(100_000)}`),
    'Invalid JSON',
    /Expected/,
  ],
  [
    'a default nested 50,000 deep',
    schema(`{"name":"X","properties":[{"name":"a","type":"json","default":${nested(50_000)}}]}`),
    'Invalid JSON',
    /deep/,
  ],
  [
    'a default nested 200 deep',
    schema(`{"name":"X","properties":[{"name":"a","type":"json","default":${nested(200)}}]}`),
    'Invalid definition',
    /deep/,
  ],
  ['U+0000', notes('[{"id":1,"t":"a\\u0000b"}]'), 'Invalid record', /cannot store/],
  ['half of a surrogate pair', notes('[{"id":1,"t":"\\ud800"}]'), 'Invalid record', /cannot store/],
  ['numbers that no column holds', notes('[{"id":1e400}]'), 'Invalid record', /whole number/],
])('%s fails its file with words, and no other', async (_, extra, verdict, message) => {
  const logs = await install(extra)
  const failed = logs.filter(({ status }) => status === 'failed')
  expect(failed).toMatchObject([
    { error: verdict, details: [{ message: expect.stringMatching(message) }] },
  ])
  expect(logs.find(({ path }) => path === 'EngineEntities/Note.json')?.status).toBe('created')
})

test('__proto__ and constructor are plain data', async () => {
  const logs = await install(notes('[{"id":1,"__proto__":{"x":1},"constructor":{"y":2}}]'))
  expect(logs.map(({ status }) => status)).toEqual(['created', 'created'])
  expect(({} as { x?: number }).x).toBeUndefined()
})

type Log = { path: string; status: string; error: string | null; details: { message: string }[] }

async function install(extra: Record<string, { files: Record<string, string> }>): Promise<Log[]> {
  const files = pluginFiles({
    EngineEntities: { files: { 'Note.json': { name: 'Note' } } },
    ...extra,
  })
  const { status, body } = await call(deps, INSTALL, {
    method: 'POST',
    path: '/api/plugins/install/zip',
    body: uploadOf(await archiveOf(files)),
    as: 'ADMIN',
  })
  expect(status).toBe(200)
  const id = body.data.history
  const path = `/api/plugins/history/${id}/logs`
  return (await call(deps, LOGS, { path, as: 'ADMIN', params: { id: String(id) } })).body.data
}
