import { test as always, expect } from 'vitest'
import { testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { change, deps, find, tagsOf } from './testing/films'

/** Records on the nodes of a cluster have no other direction. */
const test = always.skipIf(testsOnCitus())

test('a link stays while records refer to it, and the refusal says which', async () => {
  const reference = { reference: { entity: 'FilmTag', field: 'id' } }
  const schema = { properties: [{ name: 'about', type: 'integer', meta: reference }] }
  await installTestEntity(deps, { entity: { name: 'Vote' }, schema }, [{ about: 1 }])
  for (const tags of [['c'], { remove: ['a'] }]) {
    const { status, body } = await change(1, { title: 'Changed', tags })
    expect([status, body.error]).toEqual([
      409,
      '1 record of "Vote" (by "about") refer to records of "FilmTag" that would go; delete those first. Nothing was deleted',
    ])
    expect(body.meta.blockedBy).toEqual([{ entity: 'Vote', field: 'about', count: 1 }])
  }
  expect(await tagsOf(1)).toEqual(['a', 'b'])
  const query = [{ field: 'title', operator: 'eq', value: 'Changed' }]
  expect((await find({ query })).body.data).toEqual([])
  expect((await change(1, { tags: ['a'] })).status).toBe(200)
})
