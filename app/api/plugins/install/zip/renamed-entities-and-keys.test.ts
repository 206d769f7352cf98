import { describe, expect, test } from 'vitest'
import { recordsOf } from '../../testing/records'
import { deps, people, records, renamed, shop } from '../../testing/renamed-shop'
import { installed } from '../../testing/versions'

describe('an entity with renamedFrom', () => {
  test('renames its fields and its text counter too, and moves to the schema of the new name', async () => {
    const pks = (key: string, more = {}) => [
      { key, strategy: 'AutoIncrement', type: 'string', ...more },
    ]
    const of = (properties: object[]) => ({ properties })
    await installed(
      shop('Person', {
        entity: { pks: pks('no') },
        schema: of([{ name: 'email', type: 'string' }]),
        data: people.slice(0, 1),
      }),
    )
    const mail = { name: 'mail', type: 'email', renamedFrom: 'email', required: true }
    await installed(
      shop('Customer', {
        entity: {
          ...renamed,
          pks: pks('id', { renamedFrom: ['no'] }),
          dbTable: 'clients',
          dbSchema: 'sales',
        },
        schema: of([mail]),
      }),
    )
    expect((await recordsOf(deps, 'Customer').create({ mail: 'x@y.ch' })).body.data).toMatchObject([
      { id: '2', mail: 'x@y.ch' },
    ])
    expect(await records('Customer')).toEqual([
      { id: '1', mail: 'a@b.ch' },
      { id: '2', mail: 'x@y.ch' },
    ])
    const number = {
      entity: { ...renamed, pks: [{ key: 'id' }], dbTable: 'clients', dbSchema: 'sales' },
      schema: of([mail]),
    }
    await installed(shop('Customer', number))
    expect((await recordsOf(deps, 'Customer').create({ mail: 'z@y.ch' })).body.data).toMatchObject([
      { id: 3 },
    ])
  })
})
