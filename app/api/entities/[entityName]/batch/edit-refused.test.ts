import { describe, expect, test } from 'vitest'
import { books, edit, patch, rightsOf, stock } from './testing/books'

/** The error messages of a refused edit, by field. */
async function faultsOf(set: unknown, query: unknown[] = []) {
  const { status, body } = await edit(set, query)
  expect(status).toBe(400)
  return Object.fromEntries(
    (body.validations as { field: string; error: string }[]).map(({ field, error }) => [
      field,
      error,
    ]),
  )
}

/** For a body that is sent as it is written. */
const asText = async () => ({
  ...(await rightsOf(['EDITOR'])),
  'content-type': 'application/json',
})

describe('refuses', () => {
  test('unknown names with the nearest ones, all faults together', async () => {
    const faults = await faultsOf({
      ...{ stock: { $incremnt: 1 }, price: { $append: 'x' }, title: { $append: 1 }, id: 3 },
      ...{
        old: { $field: 'titel' },
        total: 1,
        CreatedBy: 'x',
        seen: { $now: 1 },
        data: { $now: true },
      },
      tags: { $append: 1, $remove: 1 },
    })
    expect(faults).toEqual({
      'set.stock': 'Unknown operator "$incremnt"; did you mean "$increment"?',
      'set.price': '"$append" is for texts and lists; this field is of the type decimal',
      'set.title': '"$append" takes a text here',
      'set.id': 'is the key and cannot be changed',
      'set.old': 'Unknown field "titel"; did you mean "title"?',
      'set.total': 'is computed from other fields and cannot be set; leave it out',
      'set.CreatedBy': 'is set by the server',
      'set.seen': '"$now" takes true',
      'set.data': '"$now" is for dates and times with a date',
      'set.tags': 'takes one operator, not 2; a value goes into "$value"',
    })
    expect(await faultsOf({})).toEqual({ set: 'must name at least one field' })
  })

  test('numbers that nothing can be calculated with', async () => {
    const json = await asText()
    for (const operator of ['$multiply', '$increment'])
      for (const number of ['1e30000', '1e-30000']) {
        const text = `{"entity":"Book","set":{"price":{"${operator}":${number}}}}`
        const { status, body } = await patch(text, '', json)
        expect([status, body.error]).toEqual([400, expect.stringContaining('set.price')])
      }
  })

  test('paths into objects, which would become undeclared fields of that name', async () => {
    expect(await faultsOf({ 'data.a.b': 1 })).toEqual({
      'set.data.a.b': 'is a path, which cannot be set; set "data" as a whole',
    })
    expect((await edit({ 'other.name': 1 })).status).toBe(200)
  })

  test('values that no record may have, before any is read', async () => {
    const faults = await faultsOf({ stock: -1, title: { $unset: true }, day: 'x' })
    expect(Object.keys(faults).sort()).toEqual(['set.day', 'set.stock', 'set.title'])
  })

  test('conditions and properties that it does not know', async () => {
    const query = [{ field: 'stok', operator: 'gt', value: 1 }]
    expect((await edit({ old: 'x' }, query)).body.error).toContain('did you mean "stock"?')
    const body = { entity: 'Book', querry: [], set: { old: 'x' } }
    const { status, body: answer } = await patch(body)
    expect([status, String(answer.error)]).toEqual([400, expect.stringContaining('"query"')])
    expect((await patch({ set: { old: 'x' } })).status).toBe(400)
    expect((await patch({ entity: 'Thing', set: { old: 'x' } })).status).toBe(400)
    expect((await patch({ entity: 'Book' })).status).toBe(400)
    expect((await books('old')).every(({ old }) => old === null)).toBe(true)
  })

  test('another number than the expected one', async () => {
    const { status, body } = await edit({ old: 'x' }, [stock('lt', 5)], 'expected=4')
    expect(status).toBe(409)
    expect(body.meta).toMatchObject({ expected: 4, found: 5 })
    expect((await books('old')).every(({ old }) => old === null)).toBe(true)
    expect((await edit({ old: 'x' }, [stock('lt', 5)], 'expected=5')).status).toBe(200)
  })
})

describe('all or nothing', () => {
  test('when records would become invalid, which it names by key with their values', async () => {
    const { status, body } = await edit({ stock: { $increment: 80 }, old: 'x' }, [])
    expect(status).toBe(400)
    expect(body.validations).toHaveLength(4)
    expect(body.validations[0]).toEqual({
      field: 'set.stock',
      error: expect.stringMatching(/at most 100.*record 22 would get 101/),
    })
    expect(await books('stock::int, old')).toEqual(
      Array.from({ length: 25 }, (_, at) => ({ stock: at, old: null })),
    )
  })

  test('when a text becomes too long or a number is no whole one', async () => {
    expect(await faultsOf({ title: { $append: '0123456789' } }, [stock('eq', 24)])).toEqual({
      'set.title': expect.stringContaining('record 25'),
    })
    expect(Object.keys(await faultsOf({ stock: { $multiply: 0.3 } }))).toEqual(['set.stock'])
  })

  test('when a value is taken', async () => {
    const { status, body } = await edit({ code: 'same', old: 'x' }, [stock('lt', 3)])
    expect(status).toBe(409)
    expect(String(body.error)).toMatch(/must be unique.*also in record 1 \(.*nothing was changed/)
    expect((await books('old')).every(({ old }) => old === null)).toBe(true)
    expect((await edit({ code: 'c9' }, [stock('eq', 3)])).status).toBe(409)
    expect((await edit({ code: 'new' }, [stock('eq', 3)])).status).toBe(200)
  })
})

describe('rights', () => {
  test('what depends on stored values needs the right to read', async () => {
    const writer = await rightsOf(['EDITOR'], ['Book:update'])
    const ways: [unknown, unknown[], string][] = [
      [{ old: 'x' }, [stock('gt', 1)], ''],
      [{ old: 'x' }, [], 'dryRun=true'],
      [{ old: 'x' }, [], 'expected=25'],
      [{ stock: { $increment: 1 } }, [], ''],
    ]
    for (const [set, query, url] of ways)
      expect((await edit(set, query, url, writer)).status).toBe(403)
    await edit({ old: 'x' }, [stock('gt', 20)])
    const all = await edit({ old: 'x' }, [], '', writer)
    expect(all.body).toMatchObject({
      data: [{ effected: 25 }],
      meta: { updated: 25, unchanged: 0 },
    })
  })

  test('who may not read learns of records that would become invalid only their number', async () => {
    const writer = await rightsOf(['EDITOR'], ['Book:update'])
    const field = 'set.code'
    const error = 'must be unique (24 records)'
    expect(await edit({ code: 'same' }, [], '', writer)).toMatchObject({
      status: 409,
      body: { error: `${field}: ${error}; nothing was changed`, validations: [{ field, error }] },
    })
    expect((await edit({ code: 'same' })).body.validations).toHaveLength(24)
  })

  test('editing needs the right to update', async () => {
    const reader = await rightsOf(['EDITOR'], ['Book:read', 'Book:write', 'Book:delete'])
    expect((await edit({ old: 'x' }, [], '', reader)).status).toBe(403)
  })
})
