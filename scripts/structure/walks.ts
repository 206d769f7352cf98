import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { dirname, relative } from 'node:path'
import { test } from 'vitest'
import { POST as create } from '@/app/api/entities/[entityName]/route'
import { POST as search } from '@/app/api/entities/[entityName]/search/route'
import { POST as installZip } from '@/app/api/plugins/install/zip/route'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { testKey } from '@/lib/testing/request'
import { importsOf } from './sources.mjs'

const deps = freshDeps()
const ROOT = process.cwd()

/** Two definitions and two data files. */
const plugin = (count: number) =>
  pluginFiles({
    EngineEntities: { files: { 'A.json': { name: 'A' }, 'B.json': { name: 'B' } } },
    EngineSchemas: { files: { 'A.json': schema('A'), 'B.json': schema('B') } },
    A: { manifest: { target: 'A' }, files: { 'data.json': records(count) } },
    B: { manifest: { target: 'B' }, files: { 'data.json': records(count) } },
  })
const schema = (name: string) => ({
  name,
  properties: [
    { name: 'title', type: 'string', required: true },
    { name: 'size', type: 'integer' },
  ],
})
const records = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, title: `Title ${at}`, size: at }))

test('what a search, a create and an install pass', async () => {
  const key = await testKey(deps, ['ADMIN'])
  const ask = (path: string, body: unknown) =>
    new Request(`http://test.local${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      body: body instanceof FormData ? body : JSON.stringify(body),
    })
  const params = Promise.resolve({ entityName: 'A' })
  const install = async (count: number) => {
    const form = uploadOf(await archiveOf(plugin(count)))
    return installZip(ask('/api/plugins/install/zip', form), { params: Promise.resolve({}) })
  }
  let size = 0
  const searchOnce = () => {
    const query = [{ field: 'size', operator: 'gte', value: size++ }]
    return search(ask('/api/entities/A/search', { query, sort: [{ field: 'title' }] }), { params })
  }
  const createOnce = () =>
    create(ask('/api/entities/A', { title: 'New', size: size++ }), { params })
  await install(3)
  const walks = {
    'a search': await walk(searchOnce),
    'a create': await walk(createOnce),
    'an install of two definitions and two data files': await walk(() => install(5)),
  }
  writeFileSync(process.env.WALKS_FILE ?? '/dev/stdout', JSON.stringify(walks))
})

/** Files of the product of which a function runs, in the third of three requests. */
async function walk(request: () => Promise<Response>) {
  for (let warm = 0; warm < 2; warm++) await succeed(request)
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await succeed(request)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const ran = result
    .filter(({ functions }) =>
      functions.some((one) => one.functionName !== '' && one.ranges.some(({ count }) => count > 0)),
    )
    .map(({ url }) => relative(ROOT, url.replace(/^file:\/\//, '').replace(/\?.*/, '')))
  const files = [...new Set(ran)].filter(
    (file) => /^(app|lib)\//.test(file) && !/(^|\/)testing\//.test(file),
  )
  const between = files.flatMap((file) =>
    importsOf(ROOT, file).filter(
      (target: string) => files.includes(target) && dirname(target) !== dirname(file),
    ),
  )
  return { files: files.sort(), changes: between.length }
}

async function succeed(request: () => Promise<Response>): Promise<void> {
  const response = await request()
  if (!response.ok) throw new Error(await response.text())
  await response.text()
}
