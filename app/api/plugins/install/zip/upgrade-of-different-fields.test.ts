import { expect, test } from 'vitest'
import { edit, next, THREE, upgrade } from '../../testing/upgrades'
import { installed, search } from '../../testing/versions'

test.each(['Upsert', 'Replace'])(
  'with %s, both may change one record in different fields',
  async (updateStrategy) => {
    const entity = { updateStrategy }
    await installed(next(THREE, { entity }))
    await edit(`price = 9`, 1)
    const { counts } = await upgrade([{ ...THREE[0], name: 'Mug' }, ...THREE.slice(1)], '', {
      entity,
    })
    expect(counts).toEqual([0, 1, 2])
    expect((await search())[0]).toEqual({ id: 1, name: 'Mug', price: 9, note: null, color: 'red' })
  },
)
