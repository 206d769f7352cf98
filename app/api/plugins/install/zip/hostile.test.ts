import { expect, test } from 'vitest'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as LOGS } from '../../history/[id]/logs/route'
import { POST as INSTALL } from './route'

const deps = freshDeps()

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
    /deeper/,
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
  ['a list of commas', notes(`[${','.repeat(5_000_000)}1]`), 'Invalid JSON', /Expected a value/],
  [
    'a record of too many values',
    notes(`[{"id":1,"x":[[]${',[]'.repeat(600_000)}]}]`),
    'Invalid record',
    /more than 500000 values/,
  ],
  [
    'variables that make gigabytes',
    {
      Note: {
        manifest: { target: 'Note', variables: { big: 'x'.repeat(100_000) } },
        files: { 'data.json': JSON.stringify([{ id: 1, t: '${manifest.big}'.repeat(100_000) }]) },
      },
    },
    'Invalid record',
    /Variables make it too large/,
  ],
  [
    'a file of definitions of more than a MiB',
    schema(`{"name":"X","properties":[],"note":"${'x'.repeat(2_000_000)}"}`),
    'Invalid definition',
    /larger than 1 MiB/,
  ],
  [
    'a manifest of more than a MiB',
    { Y: { manifest: { target: 'Note', x: 'x'.repeat(2_000_000) }, files: { 'a.json': '[]' } } },
    'Invalid definition',
    /must not be larger than 1 MiB/,
  ],
  [
    'a manifest of too many values',
    { Y: { manifest: { target: 'Note', x: Array(30_000).fill(0) }, files: { 'a.json': '[]' } } },
    'Invalid definition',
    /must not contain more than 20000 values/,
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
