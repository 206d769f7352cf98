import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as GET_LOGS } from '../../history/[id]/logs/route'
import { GET as GET_HISTORY } from '../../history/[id]/route'
import { GET, POST } from './route'

const deps = freshDeps()

const PATH = '/api/plugins/install/zip'
type Files = Record<string, unknown>

/** Installs an archive of `files` and reads its log. */
async function install(
  files: Files | Uint8Array,
  query = '',
  headers: Record<string, string> = {},
) {
  const archive = files instanceof Uint8Array ? files : await archiveOf(files)
  const response = await call(deps, POST, {
    method: 'POST',
    path: PATH + query,
    body: uploadOf(archive),
    as: 'ADMIN',
    headers,
  })
  const id = response.body?.data?.history
  return { ...response, logs: id ? await logsOf(id) : [] }
}

async function logsOf(id: number) {
  const response = await call(deps, GET_LOGS, {
    path: `/api/plugins/history/${id}/logs?size=1000`,
    as: 'ADMIN',
    params: { id: String(id) },
  })
  return response.body.data as {
    path: string
    status: string
    error: string | null
    details: { index?: number; key?: unknown; message: string; line?: number; pointer?: string }[]
    records: object
  }[]
}

async function historyOf(id: number) {
  return (
    await call(deps, GET_HISTORY, {
      path: `/api/plugins/history/${id}`,
      as: 'ADMIN',
      params: { id: String(id) },
    })
  ).body.data[0]
}

const verdicts = (logs: Awaited<ReturnType<typeof logsOf>>) =>
  Object.fromEntries(logs.map(({ path, status, error }) => [path, error ?? status]))

/** The table's rows as JSON: drivers read `bigint` each in its own way. */
async function records(entity: string): Promise<Record<string, unknown>[]> {
  const table = sql`entities.${sql.identifier(entity)}`
  const found = await rows<{ row: Record<string, unknown> }>(
    deps.db,
    sql`select row_to_json(t) as row from (select * from ${table} order by 1) t`,
  )
  return found.map(({ row }) => row)
}

const CUSTOMER = {
  EngineEntities: {
    files: {
      'Customer.json': {
        name: 'Customer',
        pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }],
      },
    },
  },
  EngineSchemas: {
    files: {
      'Customer.json': {
        name: 'Customer',
        properties: [
          { name: 'code', type: 'string' },
          { name: 'name', type: 'string', meta: { required: true, maxLength: 20 } },
          { name: 'age', type: 'integer' },
        ],
      },
    },
  },
}
const customers = (...list: object[]) => ({ Customer: { files: { 'data.json': list } } })
const ANN = { code: 'a', name: 'Ann', age: 30 }
const BEN = { code: 'b', name: 'Ben', age: 40 }

describe('POST /api/plugins/install/zip', () => {
  test('turns definitions and data into a table, and responds as specified', async () => {
    const { status, body, logs } = await install(
      pluginFiles({ ...CUSTOMER, ...customers(ANN, BEN) }),
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 200,
      message: 'Plugin installed',
      data: {
        history: 1,
        pluginId: 'com.example.shop',
        pluginName: 'Shop',
        totalFiles: 3,
        successCount: 3,
        failedCount: 0,
      },
    })
    expect(verdicts(logs)).toEqual({
      'EngineSchemas/Customer.json': 'created',
      'EngineEntities/Customer.json': 'created',
      'Customer/data.json': 'created',
    })
    expect(await records('customer')).toMatchObject([ANN, BEN])
  })

  test('the history accounts for the install', async () => {
    const { body } = await install(pluginFiles({ ...CUSTOMER, ...customers(ANN, BEN) }))
    expect(await historyOf(body.data.history)).toMatchObject({
      id: body.data.history,
      pluginId: 'com.example.shop',
      pluginName: 'Shop',
      version: '1.0.0',
      source: 'plugin.zip',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      status: 'SUCCESS',
      startedAt: expect.any(String),
      completedAt: expect.any(String),
      durationMs: expect.any(Number),
      installedBy: expect.stringContaining('test'),
      totalFiles: 3,
      successCount: 3,
      failedCount: 0,
      recordCount: 2,
      processedFiles: 3,
      errors: [],
    })
  })

  test('records that exist are a conflict, and nothing of the file is written', async () => {
    await install(pluginFiles({ ...CUSTOMER, ...customers(ANN) }))
    const { body, logs } = await install(
      pluginFiles({ ...CUSTOMER, ...customers(BEN, { ...ANN, name: 'Other' }) }),
    )
    expect(body).toMatchObject({
      status: 200,
      message: expect.stringContaining('in part'),
      data: { totalFiles: 3, successCount: 2, failedCount: 1 },
    })
    expect(verdicts(logs)).toEqual({
      'EngineSchemas/Customer.json': 'unchanged',
      'EngineEntities/Customer.json': 'unchanged',
      'Customer/data.json': 'Conflict Issue!',
    })
    expect(logs.at(-1)?.details[0]).toMatchObject({ index: 1, key: expect.anything() })
    expect(await records('customer')).toMatchObject([ANN])
    expect(await records('customer')).toHaveLength(1)
  })

  test('duplicates inside one file are a conflict too', async () => {
    const { logs } = await install(pluginFiles({ ...CUSTOMER, ...customers(ANN, BEN, ANN) }))
    expect(logs.at(-1)).toMatchObject({ error: 'Conflict Issue!', details: [{ index: 2 }] })
    expect(await records('customer')).toEqual([])
  })

  test('Upsert writes what differs, and an identical archive changes nothing', async () => {
    const files = pluginFiles({
      ...CUSTOMER,
      Customer: {
        manifest: { target: 'Customer', insertDuplicate: 'Upsert' },
        files: { 'data.json': [ANN, BEN] },
      },
    })
    await install(files)
    const changed = { ...files, 'Customer/data.json': [{ ...ANN, age: 31 }, BEN] }
    expect((await install(changed)).logs.at(-1)).toMatchObject({
      status: 'updated',
      records: { created: 0, updated: 1, unchanged: 1, failed: 0 },
    })
    const again = await install(changed)
    expect(again.logs.map(({ status }) => status)).toEqual(['unchanged', 'unchanged', 'unchanged'])
    expect(await records('customer')).toMatchObject([{ age: expect.anything() }, BEN])
  })

  test('Ignore keeps stored records', async () => {
    const files = pluginFiles({ ...CUSTOMER, ...customers(ANN) })
    await install(files)
    const second = {
      ...files,
      'Customer/__manifest__.json': { target: 'Customer', insertDuplicate: 'Ignore' },
      'Customer/data.json': [{ ...ANN, name: 'X' }, BEN],
    }
    expect((await install(second)).logs.at(-1)).toMatchObject({
      status: 'created',
      records: { created: 1, updated: 0, unchanged: 1 },
    })
    expect(await records('customer')).toMatchObject([ANN, BEN])
  })

  test.each<[string, Files, Record<string, string>]>([
    [
      'data for an unknown entity',
      pluginFiles({
        Missing: { manifest: { target: 'Missing' }, files: { 'data.json': [{ a: 1 }] } },
      }),
      { 'Missing/data.json': 'Missing dependency' },
    ],
    [
      'an entity whose schema is nowhere',
      pluginFiles({
        EngineEntities: { files: { 'A.json': { name: 'Aa', engineSchema: 'Gone' } } },
      }),
      { 'EngineEntities/A.json': 'Missing dependency' },
    ],
    [
      'a dependency that is nowhere',
      pluginFiles({
        EngineEntities: { files: { 'A.json': { name: 'Aa' } } },
        Aa: {
          manifest: { target: 'Aa', dependencies: ['Gone'] },
          files: { 'data.json': [{ id: 1 }], 'more.json': [{ id: 2 }] },
        },
      }),
      {
        'EngineEntities/A.json': 'created',
        'Aa/data.json': 'Missing dependency',
        'Aa/more.json': 'Missing dependency',
      },
    ],
    [
      'a syntax error',
      pluginFiles({ EngineEntities: { files: { 'A.json': '{"name": }' } } }),
      { 'EngineEntities/A.json': 'Invalid JSON' },
    ],
    [
      'a broken manifest',
      {
        ...pluginFiles({ EngineEntities: { files: { 'A.json': { name: 'Aa' } } } }),
        'EngineEntities/__manifest__.json': '{',
      },
      { 'EngineEntities/A.json': 'Invalid JSON' },
    ],
    [
      'a manifest without a target',
      pluginFiles({ 'no-entity': { manifest: {}, files: { 'a.json': {} } } }),
      { 'no-entity/a.json': 'Invalid definition' },
    ],
    [
      'an invalid definition',
      pluginFiles({ EngineSchemas: { files: { 'A.json': { name: 'A b', properties: [] } } } }),
      { 'EngineSchemas/A.json': 'Invalid definition' },
    ],
    [
      'a definition given twice',
      pluginFiles({
        EngineEntities: { files: { 'A.json': { name: 'Aa' }, 'B.json': { name: 'AA' } } },
      }),
      { 'EngineEntities/A.json': 'created', 'EngineEntities/B.json': 'Invalid definition' },
    ],
    [
      'invalid records',
      pluginFiles({ ...CUSTOMER, ...customers(ANN, { code: 'x', age: 'old' }) }),
      {
        'EngineSchemas/Customer.json': 'created',
        'EngineEntities/Customer.json': 'created',
        'Customer/data.json': 'Invalid record',
      },
    ],
    [
      'records that are no objects',
      pluginFiles({
        EngineEntities: { files: { 'A.json': { name: 'Aa' } } },
        Aa: { files: { 'data.json': [{ id: 1 }, 7] } },
      }),
      { 'EngineEntities/A.json': 'created', 'Aa/data.json': 'Invalid record' },
    ],
  ])('%s fails its files alone', async (_, files, expected) => {
    const { status, body, logs } = await install(files)
    expect(status).toBe(200)
    expect(verdicts(logs)).toEqual(expected)
    expect(body.data.totalFiles).toBe(body.data.successCount + body.data.failedCount)
    for (const { status: verdict, details } of logs) {
      if (verdict === 'failed') expect(details[0]?.message).toEqual(expect.any(String))
    }
  })

  test('a syntax error names its line and column', async () => {
    const { logs } = await install(
      pluginFiles({ EngineEntities: { files: { 'A.json': '{\n  "name": }' } } }),
    )
    expect(logs[0]?.details).toMatchObject([{ line: 2, column: 11 }])
  })

  test('entity and schema can be in any order and file, and folders only group', async () => {
    const { body } = await install({
      'engineplugin.json': { id: 'com.example.shop' },
      'a/b/data/__manifest__.json': { target: 'Aa' },
      'a/b/data/deep/x.json': { id: 1, note: 'free' },
      'z/entities/__manifest__.json': { target: 'EngineEntities' },
      'z/entities/A.json': [
        { name: 'Aa', engineSchema: 'Shared' },
        { name: 'Bb', engineSchema: 'Shared' },
      ],
      'z/schemas/__manifest__.json': { target: 'EngineSchemas' },
      'z/schemas/S.json': { name: 'Shared', properties: [{ name: 'note', type: 'string' }] },
    })
    expect(body.data).toMatchObject({
      totalFiles: 3,
      successCount: 3,
      pluginName: 'com.example.shop',
    })
    expect(await records('aa')).toMatchObject([{ note: 'free' }])
  })

  test('variables are replaced in data', async () => {
    const files = pluginFiles(
      {
        EngineEntities: { files: { 'A.json': { name: 'Aa' } } },
        Aa: {
          manifest: { target: 'Aa', variables: { tag: 'T' } },
          files: {
            'data.json': {
              id: 1,
              x: '${config.host} ${manifest.tag} ${config.version} ${config.no}',
            },
          },
        },
      },
      { variables: { host: 'h.example' } },
    )
    await install(files)
    expect(await records('aa')).toMatchObject([{ $extra: { x: 'h.example T 1.0.0 ${config.no}' } }])
  })

  test('other files are ignored, and listed so without being counted', async () => {
    const { body, logs } = await install({
      ...pluginFiles({ EngineEntities: { files: { 'A.json': { name: 'Aa' } } } }),
      'README.md': '# hi',
      '__MACOSX/x': 'y',
      'loose.json': '{}',
    })
    expect(body.data).toMatchObject({ totalFiles: 1, successCount: 1, failedCount: 0 })
    expect(logs.filter(({ status }) => status === 'ignored').map(({ path }) => path)).toEqual([
      'README.md',
      '__MACOSX/x',
      'loose.json',
    ])
  })

  test.each<[string, unknown, string]>([
    [
      'a self-dependency',
      { target: 'Aa', dependencies: ['Aa'] },
      'The dependencies form a cycle: Aa → Aa',
    ],
    [
      'a cycle',
      { target: 'Aa', dependencies: ['Bb'] },
      'The dependencies form a cycle: Aa → Bb → Aa',
    ],
  ])('%s refuses the archive, which the history keeps', async (_, manifest, error) => {
    const files = pluginFiles({
      EngineEntities: { files: { 'A.json': [{ name: 'Aa' }, { name: 'Bb' }] } },
      Aa: { manifest, files: { 'd.json': [] } },
      Bb: { manifest: { target: 'Bb', dependencies: ['Aa'] }, files: { 'd.json': [] } },
    })
    const { status, body } = await install(files)
    expect({ status, body }).toEqual({ status: 400, body: { status: 400, error } })
    expect(await rows(deps.db, sql`select status, errors, plugin_id from engine.installs`)).toEqual(
      [{ status: 'FAILED', errors: [error], plugin_id: 'com.example.shop' }],
    )
    expect(await rows(deps.db, sql`select 1 from engine.entities`)).toEqual([])
  })

  test.each<[string, () => Promise<BodyInit | undefined>, number, RegExp]>([
    ['no body', async () => undefined, 400, /^Plugin file \(zip\) is required$/],
    ['JSON', async () => '{}', 400, /^Plugin file \(zip\) is required$/],
    [
      'a form without the file',
      async () => new FormData(),
      400,
      /^Plugin file \(zip\) is required$/,
    ],
    [
      'an empty file',
      async () => uploadOf(new Uint8Array()),
      400,
      /^Plugin file \(zip\) is required$/,
    ],
    [
      'no ZIP',
      async () => uploadOf(new TextEncoder().encode('hello, world, this is no archive')),
      400,
      /ZIP/i,
    ],
    [
      'a ZIP without engineplugin.json',
      async () => uploadOf(await archiveOf({ 'a.json': '{}' })),
      400,
      /engineplugin\.json/,
    ],
    [
      'a broken engineplugin.json',
      async () => uploadOf(await archiveOf({ 'engineplugin.json': '{"id":' })),
      400,
      /not valid JSON/,
    ],
    [
      'an engineplugin.json without an id',
      async () => uploadOf(await archiveOf({ 'engineplugin.json': {} })),
      400,
      /id/,
    ],
    [
      'an id in another style',
      async () => uploadOf(await archiveOf({ 'engineplugin.json': { id: 'shop' } })),
      400,
      /reverse-domain/,
    ],
    [
      'nothing to install',
      async () =>
        uploadOf(
          await archiveOf({ 'engineplugin.json': { id: 'com.example.shop' }, 'a.txt': 'x' }),
        ),
      400,
      /nothing to install/,
    ],
  ])('%s is refused with two fields', async (_, body, status, error) => {
    const response = await call(deps, POST, {
      method: 'POST',
      path: PATH,
      body: await body(),
      as: 'ADMIN',
    })
    expect(response.status).toBe(status)
    expect(response.body).toEqual({ status, error: expect.stringMatching(error) })
  })

  test('an archive over the limit is 413', async () => {
    await testDeps({ MAX_ZIP_BYTES: '2000' })
    const archive = await archiveOf({
      'engineplugin.json': { id: 'com.example.shop' },
      'x.bin': crypto.getRandomValues(new Uint8Array(5000)),
    })
    const { status, body } = await install(archive)
    expect({ status, body }).toEqual({
      status: 413,
      body: { status: 413, error: expect.any(String) },
    })
  })

  test.each([
    [undefined, 401],
    ['VIEWER', 403],
    ['EDITOR', 403],
  ])('as %s it returns %i with two fields', async (as, status) => {
    const response = await call(deps, POST, {
      method: 'POST',
      path: PATH,
      body: uploadOf(await archiveOf({})),
      as,
    })
    expect(response).toMatchObject({ status, body: { status, error: expect.any(String) } })
  })

  test('another method is 405, an unknown query parameter 400', async () => {
    expect((await call(deps, GET, { path: PATH, as: 'ADMIN' })).status).toBe(405)
    expect((await install(pluginFiles(CUSTOMER), '?dryrun=true')).status).toBe(400)
  })
})

describe('?mode=atomic', () => {
  test('writes nothing when one file fails, and says so of each file', async () => {
    const { body, logs } = await install(
      pluginFiles({ ...CUSTOMER, ...customers(ANN, { code: 'b' }) }),
      '?mode=atomic',
    )
    expect(body.data).toMatchObject({ totalFiles: 3, successCount: 0, failedCount: 3 })
    expect(verdicts(logs)).toEqual({
      'EngineSchemas/Customer.json': 'Rolled back',
      'EngineEntities/Customer.json': 'Rolled back',
      'Customer/data.json': 'Invalid record',
    })
    expect(await historyOf(body.data.history)).toMatchObject({ status: 'FAILED' })
    expect(await rows(deps.db, sql`select 1 from engine.entities`)).toEqual([])
    expect(await rows(deps.db, sql`select 1 from engine.plugins`)).toEqual([])
  })

  test('writes everything when nothing fails', async () => {
    const { body } = await install(pluginFiles({ ...CUSTOMER, ...customers(ANN) }), '?mode=atomic')
    expect(body.data).toMatchObject({ totalFiles: 3, successCount: 3, failedCount: 0 })
    expect(await records('customer')).toMatchObject([ANN])
  })
})

describe('?dryRun=true', () => {
  const tables = () =>
    rows(deps.db, sql`select schemaname, tablename from pg_tables where schemaname = 'entities'`)

  test.each(['partial', 'atomic'])('foretells a %s install, and writes nothing', async (mode) => {
    const files = pluginFiles({
      ...CUSTOMER,
      ...customers(ANN, BEN),
      Missing: { manifest: { target: 'Missing' }, files: { 'data.json': [{}] } },
    })
    const preview = await install(files, `?dryRun=true&mode=${mode}`)
    expect(preview.status).toBe(200)
    expect(await tables()).toEqual([])
    expect(
      await rows(
        deps.db,
        sql`select 1 from engine.installs union all select 1 from engine.plugins union all select 1 from engine.entities union all select 1 from engine.schemas`,
      ),
    ).toEqual([])

    const real = await install(files, `?mode=${mode}`)
    const essence = ({ path, status, error, records, details }: Record<string, unknown>) => ({
      path,
      status,
      error,
      records,
      details,
    })
    expect(preview.body.data[0].files.map(essence)).toEqual(
      real.logs.map((log) => essence(log as never)),
    )
    expect(preview.body.data[0]).toMatchObject({
      totalFiles: real.body.data.totalFiles,
      successCount: real.body.data.successCount,
      failedCount: real.body.data.failedCount,
    })
  })

  test('describes table changes in words, and a downgrade', async () => {
    const first = pluginFiles(CUSTOMER, { version: '1.10.0' })
    const preview = await install(first, '?dryRun=true')
    const file = preview.body.data[0].files.find(
      ({ path }: { path: string }) => path === 'EngineEntities/Customer.json',
    )
    expect(file.changes.join('\n')).toMatch(/customer/i)
    await install(first)
    expect(
      (await install(pluginFiles(CUSTOMER, { version: '1.9.0' }), '?dryRun=true')).body.data[0],
    ).toMatchObject({ isDowngrade: true, installedVersion: '1.10.0' })
  })

  test('the same archive and state give the same seal, another state another', async () => {
    const archive = await archiveOf(pluginFiles({ ...CUSTOMER, ...customers(ANN) }))
    const seal = async () => (await install(archive, '?dryRun=true')).body.data[0].seal
    const first = await seal()
    expect(await seal()).toBe(first)
    await install(archive)
    expect(await seal()).not.toBe(first)
  })
})
