import { expect, test } from 'vitest'
import { CHANGED, edit, next, PROPERTIES, THREE, upgrade } from '../../testing/upgrades'
import { installed, search, text } from '../../testing/versions'

test.each(['Upsert', 'Replace'])(
  'with %s, a required field that was changed here is kept like others',
  async (updateStrategy) => {
    const more = {
      entity: { updateStrategy },
      properties: [text('name', { required: true }), ...PROPERTIES.slice(1)],
    }
    await installed(next(THREE, more))
    await edit(`name = 'Mine'`, 1)
    await edit(`name = 'Mine'`, 2)
    const { verdict, counts } = await upgrade(CHANGED, '', more)
    expect([verdict, counts]).toEqual(['updated', [0, 2, 1]])
    expect(await search()).toMatchObject([{ name: 'Mine' }, { name: 'Mine' }, { name: 'Spoon' }])
    expect((await upgrade(CHANGED, '&onConflict=fail', more)).verdict).not.toBe('Invalid record')
  },
)
