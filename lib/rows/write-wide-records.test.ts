import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import { counts, deps, stored, write } from './testing/countries'

describe('new records', () => {
  test('of 60 columns, in more text than one statement takes', async () => {
    const properties = Array.from({ length: 60 }, (_, n) => ({ name: `f${n}`, type: 'string' }))
    const wide = await installTestEntity(deps, { entity: { name: 'Wide' }, schema: { properties } })
    const filled = (id: number) =>
      Object.fromEntries([['id', id], ...properties.map(({ name }) => [name, `${name} of ${id}`])])
    const records = Array.from({ length: 3000 }, (_, n) => filled(n + 1))
    expect((await write(wide, records)).counts).toEqual(counts(3000))
    const again = await write(wide, records, { onDuplicate: 'Upsert' })
    expect(again.counts).toEqual(counts(0, 0, 3000))
    const last = await stored(wide, `count(distinct f59)::int as n`.concat(', 1 as id'))
    expect(last).toEqual([{ n: 3000, id: 1 }])
  })
})
