import { describe, expect, test } from 'vitest'
import { books, edit, patch, rightsOf, stock } from './testing/books'

describe('sets', () => {
  test('a value of all matching records, and says how many had it already', async () => {
    await edit({ old: 'x' }, [stock('lt', 2)])
    const { status, body } = await edit({ old: 'x' }, [stock('lt', 5)])
    expect(status).toBe(200)
    expect(body.data).toEqual([{ effected: 5 }])
    expect(body.meta).toEqual({ updated: 3, unchanged: 2 })
    const found = await books('old, "LastUpdatedBy" is not null as signed')
    expect(found.slice(0, 6).map(({ old }) => old)).toEqual(['x', 'x', 'x', 'x', 'x', null])
    expect(found.slice(4, 6).map(({ signed }) => signed)).toEqual([true, false])
  })

  test('all records without conditions', async () => {
    expect((await patch({ entity: 'Book', set: { old: 'x' } })).body.data).toEqual([
      { effected: 25 },
    ])
    const none = await edit({ old: 'y' }, [stock('gt', 99)])
    expect(none.body).toMatchObject({ data: [{ effected: 0 }], meta: { updated: 0, unchanged: 0 } })
  })

  test('numbers by others, exactly, where there are any', async () => {
    await edit({ price: { $unset: true } }, [stock('eq', 3)])
    await edit({ stock: { $increment: 2 }, price: { $multiply: 1.1 } }, [stock('between', [1, 3])])
    expect((await books('stock::int, price::text')).slice(0, 5)).toEqual([
      { stock: 0, price: '0.25' },
      { stock: 3, price: '1.375' },
      { stock: 4, price: '2.475' },
      { stock: 5, price: null },
      { stock: 4, price: '4.25' },
    ])
  })

  test('texts and lists at both ends, and takes from lists', async () => {
    const some = [stock('lt', 1)]
    await edit(
      { title: { $append: '!' }, old: { $append: 'new' }, tags: { $append: ['b', 'c'] } },
      some,
    )
    await edit({ title: { $prepend: '¡' }, tags: { $remove: 'a' } }, some)
    await edit({ tags: { $prepend: { x: 1 } } }, some)
    expect((await books('title, old, tags'))[0]).toEqual({
      ...{ title: '¡t0!', old: 'new' },
      tags: [{ x: 1 }, 0, 'b', 'c'],
    })
  })

  test('times, other fields, nothing, and values that look like operators', async () => {
    const set = {
      ...{ day: { $now: true }, seen: { $now: true }, old: { $field: 'title' } },
      ...{ data: { $value: { $unset: true } }, rating: '1.5', tags: { $unset: true } },
    }
    expect((await edit({ ...set, rating: 1.5 }, [stock('eq', 7)])).status).toBe(200)
    const [, , , , , , , book] = await books(
      'day = current_date as today, seen is not null as seen, old, data, rating, tags',
    )
    expect(book).toEqual({
      ...{ today: true, seen: true, old: 't7', rating: 1.5, tags: null },
      data: { $unset: true },
    })
    expect((await edit(set, [stock('eq', 7)])).status).toBe(400)
  })

  test('undeclared fields', async () => {
    await edit({ shelf: 'A', note: { n: 1 } }, [stock('lt', 2)])
    await edit({ shelf: null, note: { $field: 'price' } }, [stock('lt', 1)])
    expect((await books('"$extra" as extra')).slice(0, 3)).toEqual([
      { extra: { note: 0.25 } },
      { extra: { shelf: 'A', note: { n: 1 } } },
      { extra: null },
    ])
  })

  test('nothing of an undeclared field, which is removed', async () => {
    await edit({ shelf: 'A', note: 1 }, [stock('lt', 3)])
    const missing = await edit({ shelf: { $unset: true } }, [stock('lt', 1)])
    expect(missing.body.meta).toEqual({ updated: 1, unchanged: 0 })
    await edit({ shelf: null, old: 'x' }, [stock('eq', 1)])
    const [first, second, third] = await books('old, "$extra" as extra')
    expect(first).toEqual({ old: null, extra: { note: 1 } })
    expect(second).toEqual({ old: 'x', extra: { note: 1 } })
    expect(third).toEqual({ old: null, extra: { shelf: 'A', note: 1 } })
  })

  test('an undeclared field of any name', async () => {
    const json = { ...(await rightsOf(['EDITOR'])), 'content-type': 'application/json' }
    await patch('{"entity":"Book","set":{"__proto__":1}}', '', json)
    expect((await books('"$extra"::text as extra'))[0]).toEqual({ extra: '{"__proto__": 1}' })
  })

  test('by the other name of a query', async () => {
    const body = { entity: 'Book', filters: [stock('gt', 22)], set: { old: 'x' } }
    expect((await patch(body)).body.data).toEqual([{ effected: 2 }])
  })
})
