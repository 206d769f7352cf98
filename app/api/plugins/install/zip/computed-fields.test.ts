import { describe, expect, test } from 'vitest'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { call } from '@/lib/testing/request'
import { label, sources, things, total, v1 } from '../../testing/computed-fields'
import { deps, installed, search, version } from '../../testing/versions'

describe('a computed field', () => {
  test('is searched and sorted by, follows changes, and is not written', async () => {
    await installed(v1(total('n * 2'), label("concat(first, ' ', last)")))
    expect(
      await search({ query: [{ field: 'label', operator: 'contains', value: 'a By' }] }),
    ).toHaveLength(1)
    const sorted = await search({ sort: [{ field: 'total', direction: 'asc' }] })
    expect(sorted.map(({ id }: { id: number }) => id)).toEqual([2, 1])
    expect((await things.change(2, { n: 9 })).body.data).toMatchObject([{ total: 18 }])
    for (const refused of [
      await things.change(2, { total: 1 }),
      await things.create({ id: 3, total: 1 }),
    ])
      expect(refused).toMatchObject({
        status: 400,
        body: { validations: [{ field: 'total', error: expect.stringContaining('computed') }] },
      })
    const many = Array.from({ length: 900 }, (_, id) => ({
      id: id + 10,
      n: id,
      first: 'x'.repeat(400),
    }))
    await installed(
      version({
        properties: [...sources, total('n * 2'), label("concat(first, ' ', last)")],
        records: many,
      }),
    )
    expect((await things.read(909)).body.data).toMatchObject([{ total: 1798 }])
  })

  test('returns from the trash with its record', async () => {
    await installed(v1(total('n * 2')))
    const before = await search()
    const { body } = await things.remove(1, '?undo=1d')
    const { batchId } = body.meta
    const path = `/api/trash/${batchId}/restore`
    await call(deps, RESTORE, { method: 'POST', path, params: { batchId }, as: 'ADMIN' })
    expect(await search()).toEqual(before)
  })
})
