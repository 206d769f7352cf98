import { describe, expect, test } from 'vitest'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import {
  ANN,
  BEN,
  CUSTOMER,
  customers,
  deps,
  historyOf,
  install,
  PATH,
  records,
  verdicts,
} from '../../testing/customers'
import { GET, POST } from './route'

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
