import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { foreignKeys } from '@/lib/testing/define'
import { install } from '../../testing/plugin-api'
import { customers, deps, people, records, renamed, shop } from '../../testing/renamed-shop'
import { installed } from '../../testing/versions'

describe('an entity with renamedFrom', () => {
  test('takes the place of an empty entity of its name, and refuses one that has records', async () => {
    await installed(shop('Person', { data: people }))
    await installed(shop('Customer'))
    const logs = await installed(shop('Customer', { entity: renamed }))
    expect(logs.flatMap(({ changes }) => changes)).toContain(
      'Drop the empty table entities.customer',
    )
    expect(await records('Customer')).toEqual(customers)
    expect(await foreignKeys(deps)).toEqual([
      'customer.boss → customer.id',
      'note.about → customer.id',
    ])

    await installed(shop('Client', { data: people }))
    const refused = await install(deps, shop('Client', { entity: { renamedFrom: ['Customer'] } }))
    expect(refused.logs.find(({ path }) => path === 'EngineEntities/Client.json')).toMatchObject({
      error: 'Incompatible change',
      details: [
        { message: expect.stringMatching(/^Customer has 2 records and Client has 2 records/) },
      ],
    })
    expect(await records('Customer')).toEqual(customers)
  })

  test('that the archive defines beside its former name is refused', async () => {
    const person = {
      EngineEntities: {
        files: { 'Person.json': { name: 'Person' }, 'B.json': { name: 'B', ...renamed } },
      },
    }
    const { logs } = await install(deps, pluginFiles(person))
    expect(logs.map(({ error, details }) => [error, details[0]?.message])).toEqual([
      ['Invalid definition', 'The archive defines "Person" too, so it was not renamed'],
      [null, undefined],
    ])
  })
})
