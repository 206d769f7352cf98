import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { type Files, install } from '../../testing/plugin-api'

const deps = freshDeps()

const fixed = (...names: string[]) =>
  names.map((key) => ({ key, strategy: 'Fixed', type: 'string' }))
const text = (name: string, more: object = {}) => ({ name, type: 'string', ...more })

type Parts = { city?: object; cityFields?: object[]; reference?: object; people?: object[] }

const TO_KEY = { entity: 'City', field: 'name', with: { country: 'country' } }
const PEOPLE = [{ id: 'a', city: 'Bonn', country: 'DE' }]

/** Cities by country and name, and people who live in them. */
function people({ city, cityFields = [], reference = TO_KEY, people = PEOPLE }: Parts = {}): Files {
  const cities = [
    { country: 'DE', name: 'Bonn', code: 'B', zone: '1' },
    { country: 'US', name: 'Bonn', code: 'B', zone: '2' },
  ]
  const pks = fixed('country', 'name')
  return pluginFiles({
    EngineEntities: {
      files: {
        'City.json': { name: 'City', pks, ...city },
        'Person.json': { name: 'Person', pks: fixed('id'), insertDuplicate: 'Upsert' },
      },
    },
    EngineSchemas: {
      files: {
        'City.json': { name: 'City', properties: [text('code'), text('zone'), ...cityFields] },
        'Person.json': {
          name: 'Person',
          properties: [text('city', { reference }), text('country')],
        },
      },
    },
    ...(city ? {} : { City: { manifest: { target: 'City' }, files: { 'data.json': cities } } }),
    Person: { manifest: { target: 'Person' }, files: { 'data.json': people } },
  })
}

/** The foreign keys of people, as PostgreSQL writes them. */
const foreignKeys = async () =>
  (
    await rows<{ key: string }>(
      deps.db,
      sql`select pg_get_constraintdef(oid) as key from pg_constraint
          where contype = 'f' and conrelid = to_regclass('entities.person')`,
    )
  ).map(({ key }) => key)

describe('a reference by several fields', () => {
  test('is a foreign key to the key, whichever side comes first, and says so in the plan', async () => {
    const planned = await install(deps, people(), { query: '?dryRun=true' })
    expect(JSON.stringify(planned.body.data.plan)).toContain(
      'Require entities.person.(city, country) to refer to entities.city.(name, country)',
    )
    expect((await install(deps, people())).body.data.failedCount).toBe(0)
    expect(await foreignKeys()).toEqual([
      expect.stringContaining('(city, country) REFERENCES entities.city(name, country)'),
    ])
  })

  test('refuses records that refer to nothing, and names both values', async () => {
    const lost = people({ people: [...PEOPLE, { id: 'b', city: 'Bonn', country: 'FR' }] })
    const { logs } = await install(deps, lost)
    expect(logs.find(({ path }) => path === 'Person/data.json')).toMatchObject({
      error: 'Missing dependency',
      details: [
        {
          index: 1,
          pointer: '/city',
          message: '"city" refers to "Bonn", with "country" "FR", which is not in City',
        },
      ],
    })
  })

  test.each([
    [
      { entity: 'City', field: 'code', with: { country: 'zone' } },
      'code, zone of City are not unique together',
    ],
    [{ entity: 'City', field: 'name', with: { land: 'country' } }, 'Person has no field land'],
    [{ entity: 'City', field: 'name', with: { country: 'land' } }, 'City has no field land'],
    [{ entity: 'City', field: 'name' }, 'City.name is not unique'],
  ])('%j is not enforced, and the log says why', async (reference, reason) => {
    const { logs } = await install(deps, people({ reference }))
    expect(JSON.stringify(logs)).toContain(`The reference of city is not enforced: ${reason}`)
    expect(await foreignKeys()).toEqual([])
  })

  test('leads to fields that a rule makes unique together, in any order', async () => {
    const reference = { entity: 'City', field: 'zone', with: { country: 'code' } }
    const files = people({ reference, people: [{ id: 'a', city: '2', country: 'B' }] })
    const schema = files['EngineSchemas/City.json'] as object
    files['EngineSchemas/City.json'] = { ...schema, unique: [{ fields: ['code', 'zone'] }] }
    expect((await install(deps, files)).body.data.failedCount).toBe(0)
    expect(await foreignKeys()).toHaveLength(1)
  })

  test('follows the rename of a field that it refers to', async () => {
    await install(deps, people())
    const pks = [{ ...fixed('land')[0], renamedFrom: 'country' }, ...fixed('name')]
    const files = people({ city: { pks } })
    const own = pluginFiles({
      EngineEntities: { files: { 'City.json': files['EngineEntities/City.json'] as object } },
    })
    expect((await install(deps, own)).body.data.failedCount).toBe(0)
    expect(await foreignKeys()).toEqual([
      expect.stringContaining('(city, country) REFERENCES entities.city(name, land)'),
    ])
  })

  test('that names the field itself among the others is refused', async () => {
    const reference = { entity: 'City', field: 'name', with: { city: 'country' } }
    const { logs } = await install(deps, people({ reference }))
    expect(logs.find(({ path }) => path === 'EngineSchemas/Person.json')).toMatchObject({
      status: 'failed',
      details: [{ message: '"with" names further fields, not city itself' }],
    })
  })
})
