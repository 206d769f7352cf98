import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { type Files, install, upload, verdicts } from '../../testing/plugin-api'

const deps = freshDeps()

const refersTo = (name: string, entity: string) => ({
  name,
  type: 'string',
  meta: { reference: { entity, field: 'id' } },
})
const FIXED = [{ key: 'id', strategy: 'Fixed', type: 'string' }]

type EntityParts = {
  refers?: Record<string, string>
  data?: object[]
  manifest?: object
  pks?: object[]
}

/** A plugin of entities with text keys that refer to each other by `refers`: field → entity. */
function plugin(entities: Record<string, EntityParts>): Files {
  const names = Object.keys(entities)
  const each = (make: (name: string, parts: EntityParts) => object) => ({
    files: Object.fromEntries(
      names.map((name) => [`${name}.json`, make(name, entities[name] ?? {})]),
    ),
  })
  const data = names.flatMap((name) => {
    const { data, manifest } = entities[name] ?? {}
    return data
      ? [[name, { manifest: { target: name, ...manifest }, files: { 'data.json': data } }]]
      : []
  })
  return pluginFiles({
    EngineEntities: each((name, { pks = FIXED }) => ({ name, pks, insertDuplicate: 'Upsert' })),
    EngineSchemas: each((name, { refers = {} }) => ({
      name,
      properties: Object.entries(refers).map(([field, entity]) => refersTo(field, entity)),
    })),
    ...Object.fromEntries(data),
  })
}

const stored = (table: string) =>
  rows<Record<string, unknown>>(
    deps.db,
    sql`select * from entities.${sql.identifier(table)} order by 1`,
  )
const dataPaths = (logs: Awaited<ReturnType<typeof install>>['logs']) =>
  logs.map(({ path }) => path).filter((path) => path.endsWith('/data.json'))

const notesOf = (logs: Awaited<ReturnType<typeof install>>['logs']) =>
  logs.flatMap(({ path, changes }) =>
    changes.filter((change) => /enforced|refer/.test(change)).map((change) => [path, change]),
  )

describe('what is said of references', () => {
  const enforced = 'Require entities.ea.eb to refer to entities.eb.id'

  test('is final: nothing about one whose target is later in the archive', async () => {
    const { logs } = await install(deps, plugin({ Ea: { refers: { eb: 'Eb' } }, Eb: {} }))
    expect(notesOf(logs)).toEqual([['EngineEntities/Eb.json', enforced]])
  })

  test('names types that do not compare, once both sides exist', async () => {
    const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
    const { logs } = await install(deps, plugin({ Ea: { refers: { eb: 'Eb' } }, Eb: { pks } }))
    expect(notesOf(logs)).toEqual([
      [
        'EngineEntities/Eb.json',
        'The reference of Ea.eb is not enforced: eb is string but Eb.id is decimal',
      ],
    ])
  })

  test('waits for what changes later in the same archive', async () => {
    const field = (type: string) => ({
      EngineSchemas: {
        files: {
          'Q.json': {
            name: 'Q',
            properties: [{ name: 'r', type, meta: { reference: { entity: 'P', field: 'id' } } }],
          },
        },
      },
    })
    const both = (type: string) =>
      pluginFiles({
        EngineEntities: {
          files: {
            'P.json': { name: 'P', pks: [{ key: 'id', strategy: 'Fixed', type }] },
            'Q.json': { name: 'Q', pks: FIXED },
          },
        },
        ...field(type === 'number' ? 'decimal' : type),
      })
    await install(deps, both('number'))
    expect(notesOf((await install(deps, both('string'))).logs)).toEqual([
      ['EngineSchemas/Q.json', 'No longer require entities.q.r to refer to entities.p.id'],
      ['EngineEntities/P.json', 'Require entities.q.r to refer to entities.p.id'],
    ])
    // An unchanged target causes no later note.
    const { logs } = await install(deps, pluginFiles(field('decimal')))
    expect(notesOf(logs)[0]).toEqual([
      'EngineSchemas/Q.json',
      'The reference of r is no longer enforced: r is decimal but P.id is string',
    ])
  })

  test('is noted for both sides of a cycle, and for targets in no archive', async () => {
    const { logs } = await install(
      deps,
      plugin({ Ea: { refers: { eb: 'Eb', ec: 'Ec' } }, Eb: { refers: { ea: 'Ea' } } }),
    )
    expect(notesOf(logs)).toEqual([
      ['EngineEntities/Ea.json', 'The reference of ec is not enforced: Ec is not installed'],
      [
        'EngineEntities/Eb.json',
        'The reference of Ea.eb is not enforced: Ea and Eb refer to each other',
      ],
      [
        'EngineEntities/Eb.json',
        'The reference of ea is not enforced: Eb and Ea refer to each other',
      ],
    ])
  })
})

describe('references', () => {
  test('bring the data they need first, whatever the paths say', async () => {
    const { body, logs } = await install(
      deps,
      plugin({
        Airport: { refers: { region: 'Region' }, data: [{ id: 'LSZH', region: 'ZH' }] },
        Country: { data: [{ id: 'CH' }] },
        Region: { refers: { country: 'Country' }, data: [{ id: 'ZH', country: 'CH' }] },
      }),
    )
    expect(body.data.failedCount).toBe(0)
    expect(dataPaths(logs)).toEqual(['Country/data.json', 'Region/data.json', 'Airport/data.json'])
  })

  test('and dependencies decide together', async () => {
    const { logs } = await install(
      deps,
      plugin({
        A: { data: [{ id: '1' }], manifest: { dependencies: ['C'] } },
        B: { data: [{ id: '1' }], refers: { a: 'A' } },
        C: { data: [{ id: '1' }] },
      }),
    )
    expect(dataPaths(logs)).toEqual(['C/data.json', 'A/data.json', 'B/data.json'])
  })

  test('to records that are nowhere fail the file, naming index and value', async () => {
    const { logs } = await install(
      deps,
      plugin({
        Country: { data: [{ id: 'CH' }] },
        Region: {
          refers: { country: 'Country' },
          data: [
            { id: 'ZH', country: 'CH' },
            { id: 'X', country: 'Nowhere' },
            { id: 'Y', country: null },
            { id: 'Z', country: 'Lost' },
          ],
        },
      }),
    )
    const failed = logs.find(({ path }) => path === 'Region/data.json')
    expect(failed).toMatchObject({
      status: 'failed',
      error: 'Missing dependency',
      detailCount: 2,
      details: [
        {
          index: 1,
          pointer: '/country',
          value: 'Nowhere',
          message: expect.stringContaining('Country'),
        },
        { index: 3, pointer: '/country', value: 'Lost' },
      ],
      records: { created: 0, updated: 0, unchanged: 0, failed: 2 },
    })
    expect(await stored('region')).toEqual([])
    expect(await stored('country')).toHaveLength(1)
  })

  test('of an entity to itself can be in any order within a file', async () => {
    const employees = (boss: string) =>
      plugin({
        Employee: {
          refers: { boss: 'Employee' },
          data: [
            { id: 'a', boss: 'b' },
            { id: 'b', boss: 'c' },
            { id: 'c', boss },
          ],
        },
      })
    expect((await install(deps, employees('missing'))).logs.at(-1)).toMatchObject({
      error: 'Missing dependency',
      details: [{ index: 2, value: 'missing' }],
    })
    expect((await install(deps, employees('c'))).body.data.failedCount).toBe(0)
    expect(await stored('employee')).toHaveLength(3)
  })

  test('in a cycle of entities are installed, and noted as not enforced', async () => {
    const { body, logs } = await install(
      deps,
      plugin({
        Person: { refers: { team: 'Team' }, data: [{ id: 'ann', team: 'red' }] },
        Team: { refers: { lead: 'Person' }, data: [{ id: 'red', lead: 'ann' }] },
      }),
    )
    expect({ body, verdicts: verdicts(logs) }).toMatchObject({ body: { data: { failedCount: 0 } } })
    expect(logs.flatMap(({ changes }) => changes).join('\n')).toMatch(/refer to each other/)
    expect(dataPaths(logs)).toEqual(['Person/data.json', 'Team/data.json'])
  })

  test('to an entity that fails fail with it, and others are installed', async () => {
    const files = {
      ...plugin({
        Country: { data: [{ id: 'CH' }] },
        Region: { refers: { country: 'Country' }, data: [{ id: 'ZH', country: 'CH' }] },
        Other: { data: [{ id: '1' }] },
      }),
      'Country/data.json': '[{"id":',
    }
    expect(verdicts((await install(deps, files)).logs)).toMatchObject({
      'Country/data.json': 'Invalid JSON',
      'Region/data.json': 'Missing dependency',
      'Other/data.json': 'created',
    })
  })

  test('to an entity that no plugin has are values like others until it comes', async () => {
    const regions = plugin({
      Region: { refers: { country: 'Country' }, data: [{ id: 'ZH', country: 'CH' }] },
    })
    const { body, logs } = await install(deps, regions)
    expect(body.data.failedCount).toBe(0)
    expect(logs.flatMap(({ changes }) => changes).join('\n')).toMatch(/not enforced/)
    expect(
      (await install(deps, plugin({ Country: { data: [{ id: 'CH' }] } }))).body.data.failedCount,
    ).toBe(0)
    const lost = plugin({
      Region: { refers: { country: 'Country' }, data: [{ id: 'X', country: 'XX' }] },
    })
    expect((await install(deps, lost)).logs.at(-1)?.error).toBe('Missing dependency')
  })
})

describe('keys', () => {
  const keyed = (pks: object[], data: object[], entity: object = {}) =>
    pluginFiles({
      EngineEntities: { files: { 'E.json': { name: 'E', pks, ...entity } } },
      E: { files: { 'data.json': data } },
    })
  const values = async () => (await stored('e')).map(({ $extra, ...record }) => record)

  test('of several parts identify records by all of them', async () => {
    const pks = [
      { key: 'country', strategy: 'Fixed', type: 'string' },
      { key: 'number', strategy: 'Fixed', type: 'number' },
    ]
    const data = [
      { country: 'CH', number: 1 },
      { country: 'CH', number: 2 },
      { country: 'FR', number: 1 },
    ]
    expect((await install(deps, keyed(pks, data))).body.data.failedCount).toBe(0)
    const { logs } = await install(
      deps,
      keyed(pks, [
        { country: 'IT', number: 1 },
        { country: 'FR', number: 1 },
      ]),
    )
    expect(logs.at(-1)).toMatchObject({
      error: 'Conflict Issue!',
      details: [{ index: 1, key: { country: 'FR', number: 1 } }],
    })
    expect((await install(deps, keyed(pks, [{ country: 'IT' }]))).logs.at(-1)).toMatchObject({
      error: 'Invalid record',
      details: [{ index: 0 }],
    })
    expect(await values()).toHaveLength(3)
  })

  test('that count continue after those given', async () => {
    const pks = [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]
    await install(deps, keyed(pks, [{ id: 5 }, { n: 1 }, { id: 40 }]))
    await install(deps, keyed(pks, [{ n: 2 }, { n: 3 }]))
    expect((await values()).map(({ id }) => Number(id))).toEqual([5, 40, 41, 42, 43])
  })

  test('that count are new for every record without one, equal ones too, until installed again', async () => {
    const pks = [{ key: 'id', strategy: 'AutoIncrement', type: 'number' }]
    const files = keyed(pks, [{ n: 1 }, { n: 2 }, { n: 2 }])
    await install(deps, files)
    expect(await values()).toHaveLength(3)
    expect((await install(deps, files)).logs.at(-1)).toMatchObject({ error: 'Conflict Issue!' })
    expect(await values()).toHaveLength(3)
  })

  test('that are UUIDs are made where none is given', async () => {
    const given = '11111111-2222-4333-8444-555555555555'
    const pks = [{ key: 'id', strategy: 'UUID', type: 'string' }]
    await install(deps, keyed(pks, [{ id: given }, { n: 1 }]))
    const ids = (await values()).map(({ id }) => id)
    expect(ids).toContain(given)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect((await install(deps, keyed(pks, [{ id: given }]))).logs.at(-1)?.error).toBe(
      'Conflict Issue!',
    )
  })

  test.each([
    ['Upsert', { a: 'new', b: 'old', $extra: { x: 1, y: 2 } }],
    ['Replace', { a: 'new', b: null, $extra: { y: 2 } }],
  ])('with updateStrategy %s take the fields that come', async (updateStrategy, expected) => {
    const properties = [
      { name: 'a', type: 'string' },
      { name: 'b', type: 'string' },
    ]
    const files = (record: object) => ({
      ...keyed(FIXED, [{ id: 'k', ...record }], { insertDuplicate: 'Upsert', updateStrategy }),
      'EngineSchemas/__manifest__.json': { target: 'EngineSchemas' },
      'EngineSchemas/E.json': { name: 'E', properties },
    })
    await install(deps, files({ a: 'old', b: 'old', x: 1 }))
    const { logs } = await install(deps, files({ a: 'new', y: 2 }))
    expect(logs.at(-1)).toMatchObject({ status: 'updated', records: { updated: 1 } })
    expect(await stored('e')).toEqual([{ id: 'k', ...expected }])
    expect((await install(deps, files({ a: 'new', y: 2 }))).logs.at(-1)?.status).toBe('unchanged')
  })
})

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
  const [plan] = (await upload(deps, files, { query: '?dryRun=true' })).body.data
  const { logs } = await install(deps, files)
  const note =
    'The reference of Child.r is no longer enforced: r is decimal but Parent.id is string'
  for (const files of [plan.files, logs])
    expect(files.flatMap(({ changes }: { changes: string[] }) => changes)).toContain(note)
})
