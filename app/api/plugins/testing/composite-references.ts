import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/sql'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import type { Files } from './plugin-api'

export const deps = freshDeps()

export const fixed = (...names: string[]) =>
  names.map((key) => ({ key, strategy: 'Fixed', type: 'string' }))
const text = (name: string, more: object = {}) => ({ name, type: 'string', ...more })

type Parts = { city?: object; cityFields?: object[]; reference?: object; people?: object[] }

const TO_KEY = { entity: 'City', field: 'name', with: { country: 'country' } }
export const PEOPLE = [{ id: 'a', city: 'Bonn', country: 'DE' }]

/** Cities by country and name, and people who live in them. */
export function people({
  city,
  cityFields = [],
  reference = TO_KEY,
  people = PEOPLE,
}: Parts = {}): Files {
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
export const foreignKeys = async () =>
  (
    await rows<{ key: string }>(
      deps.db,
      sql`select pg_get_constraintdef(oid) as key from pg_constraint
          where contype = 'f' and conrelid = to_regclass('entities.person')`,
    )
  ).map(({ key }) => key)
