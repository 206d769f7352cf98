import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import {
  ANN,
  CUSTOMER,
  customers,
  deps,
  type Files,
  install,
  PATH,
  verdicts,
} from '../../testing/customers'
import { POST } from './route'

function withPart(form: FormData, name: string, value: string | File): FormData {
  if (typeof value === 'string') form.set(name, value)
  else form.set(name, value)
  return form
}

describe('POST /api/plugins/install/zip', () => {
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
      'a dry run that is asked for in the form',
      async () => withPart(uploadOf(await archiveOf({ 'a.json': '{}' })), 'dryRun', 'true'),
      400,
      /^dryRun: belongs into the address, as a parameter \(\?dryRun=…\)/,
    ],
    [
      'decisions as a file',
      async () =>
        withPart(uploadOf(await archiveOf({ 'a.json': '{}' })), 'decisions', new File(['{}'], 'a')),
      400,
      /^decisions: is sent as a file/,
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
})
