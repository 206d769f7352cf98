import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { type Files, install, upload, verdicts } from '../../testing/plugin-api'
import { deps, FIXED } from '../../testing/reference-plugins'

describe('EngineTypes', () => {
  const typed = (
    types: object[],
    properties: object[],
    data: object[],
    more: Files = {},
  ): Files => ({
    ...pluginFiles({
      Z_types: { manifest: { target: 'EngineTypes' }, files: { 'types.json': types } },
      EngineSchemas: { files: { 'E.json': { name: 'E', properties } } },
      EngineEntities: { files: { 'E.json': { name: 'E', pks: FIXED } } },
      E: { files: { 'data.json': data } },
    }),
    ...more,
  })
  const CODE = {
    name: 'AirportCode',
    baseType: 'string',
    meta: { pattern: '^[A-Z]{4}$', maxLength: 4 },
  }
  const property = (type: string, meta: object = {}) => [{ name: 'v', type, meta }]

  test('are types for schemas of the same archive, wherever their folder is', async () => {
    const good = await install(
      deps,
      typed([CODE], property('airportcode'), [{ id: '1', v: 'LSZH' }]),
    )
    expect(verdicts(good.logs)).toEqual({
      'Z_types/types.json': 'created',
      'EngineSchemas/E.json': 'created',
      'EngineEntities/E.json': 'created',
      'E/data.json': 'created',
    })
    const bad = await install(
      deps,
      typed([CODE], property('AirportCode'), [{ id: '2', v: 'lszh' }]),
    )
    expect(bad.logs.at(-1)).toMatchObject({
      error: 'Invalid record',
      details: [{ index: 0, pointer: '/v' }],
    })
  })

  test('can be based on each other, and are available to later archives', async () => {
    const types = [
      { name: 'HomeCode', baseType: 'AirportCode', meta: { enum: ['LSZH', 'LSGG'] } },
      CODE,
    ]
    await install(deps, typed(types, property('HomeCode'), [{ id: '1', v: 'LSGG' }]))
    const later = pluginFiles(
      {
        EngineSchemas: { files: { 'F.json': { name: 'F', properties: property('HomeCode') } } },
        EngineEntities: { files: { 'F.json': { name: 'F', pks: FIXED } } },
        F: { files: { 'good.json': { id: '1', v: 'LSZH' }, 'bad.json': { id: '2', v: 'EDDF' } } },
      },
      { id: 'com.example.later' },
    )
    expect(verdicts((await install(deps, later)).logs)).toMatchObject({
      'F/good.json': 'created',
      'F/bad.json': 'Invalid record',
    })
  })

  test.each<[string, object[], string, string]>([
    [
      'without a base',
      [{ name: 'T', baseType: 'Nowhere' }],
      'Missing dependency',
      'Invalid definition',
    ],
    [
      'that is based on itself',
      [{ name: 'T', baseType: 'T' }],
      'Invalid definition',
      'Invalid definition',
    ],
    [
      'in a cycle',
      [
        { name: 'T', baseType: 'U' },
        { name: 'U', baseType: 'T' },
      ],
      'Invalid definition',
      'Invalid definition',
    ],
    [
      'with the name of a built-in one',
      [{ name: 'string', baseType: 'integer' }],
      'Invalid definition',
      'created',
    ],
  ])('%s fail, and the other files say what follows', async (_, types, own, schema) => {
    const name = types.length > 0 && (types[0] as { name: string }).name
    const { logs } = await install(
      deps,
      typed(types, property(String(name)), [{ id: '1', v: 'x' }]),
    )
    expect(verdicts(logs)).toMatchObject({
      'Z_types/types.json': own,
      'EngineSchemas/E.json': schema,
    })
  })

  test('that are identical the second time are unchanged, and updated when not', async () => {
    const files = typed([CODE], property('AirportCode'), [])
    await install(deps, files)
    expect((await install(deps, files)).logs[0]).toMatchObject({ status: 'unchanged' })
    const wider = { ...CODE, meta: { pattern: '^[A-Z]{3,4}$' } }
    const { logs } = await install(
      deps,
      typed([wider], property('AirportCode'), [{ id: '1', v: 'ZRH' }]),
    )
    expect(verdicts(logs)).toMatchObject({
      'Z_types/types.json': 'updated',
      'EngineSchemas/E.json': 'updated',
      'E/data.json': 'created',
    })
  })
})

test('a reference that a new type of the key ends is noted, with the reason', async () => {
  const version = (type: string) =>
    pluginFiles({
      EngineEntities: {
        files: {
          'P.json': { name: 'Parent', pks: [{ key: 'id', strategy: 'Fixed', type }] },
          'Q.json': { name: 'Child' },
        },
      },
      EngineSchemas: {
        files: {
          'Q.json': {
            name: 'Child',
            properties: [
              { name: 'r', type: 'decimal', reference: { entity: 'Parent', field: 'id' } },
            ],
          },
        },
      },
    })
  await install(deps, version('number'))
  const files = version('string')
  const { plan } = (await upload(deps, files, { query: '?dryRun=true' })).body.data
  const { logs } = await install(deps, files)
  const note =
    'The reference of Child.r is no longer enforced: r is decimal but Parent.id is string'
  for (const files of [plan.files, logs])
    expect(files.flatMap(({ changes }: { changes: string[] }) => changes)).toContain(note)
})
