import { describe, expect, test } from 'vitest'
import { install } from '../../testing/plugin-api'
import { testRepairs, tier } from '../../testing/repairs'
import { deps, installed, search, text, version } from '../../testing/versions'

describe.each(['partial', 'atomic'] as const)(
  'a version that repairs the records that its schema contradicts (%s)',
  (mode) => {
    const query = `?mode=${mode}`

    testRepairs(mode, [
      [
        'an enum, by a new value',
        tier('gold', 'bronze'),
        [
          { id: 1, tier: 'gold' },
          { id: 2, tier: 'bronze' },
        ],
        tier('gold', 'basic'),
        [{ id: 2, tier: 'basic' }],
        ['gold', 'basic'],
      ],
    ])

    test('is installed with the unique index of an entity too', async () => {
      const properties = [text('a'), text('b')]
      await installed(
        version({
          properties,
          records: [
            { id: 1, a: 'x', b: 'y' },
            { id: 2, a: 'x', b: 'y' },
          ],
        }),
      )
      const entity = { indexes: [{ fields: ['a', 'b'], unique: true }] }
      const { body } = await install(
        deps,
        version({ properties, entity, records: [{ id: 2, b: 'z' }] }),
        { query },
      )
      expect(body.data).toMatchObject({ failedCount: 0 })
      expect(await search()).toMatchObject([{ b: 'y' }, { b: 'z' }])
    })
  },
)
