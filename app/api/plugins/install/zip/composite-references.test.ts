import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { deps, fixed, foreignKeys, PEOPLE, people } from '../../testing/composite-references'
import { install } from '../../testing/plugin-api'

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
