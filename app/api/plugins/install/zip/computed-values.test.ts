import { describe, expect, test } from 'vitest'
import { label, total, v1 } from '../../testing/computed-fields'
import { installed, search } from '../../testing/versions'

describe('a computed field', () => {
  test.each<[string, unknown, unknown]>([
    ['n * price', 3.3, null],
    ['price / n', 0.3666666666666667, null],
    ['(n + 1) * -2 - 0.5', -8.5, -2.5],
    ['coalesce(price, 0) + n', 4.1, 0],
  ])('holds a number: %s', async (expression, first, second) => {
    await installed(v1(total(expression)))
    const found = await search({ sort: [{ field: 'id', direction: 'asc' }] })
    expect(found[0].total).toBeCloseTo(first as number)
    expect(found[1].total).toEqual(second)
  })

  test.each<[string, unknown, unknown]>([
    ["first || ' ' || last", 'Ada Byron', null],
    ["concat(upper(first), '-', lower(last), n)", 'ADA-byron3', 'BOB-0'],
    ["coalesce(last, 'it''s ?')", 'Byron', "it's ?"],
  ])('holds a text: %s', async (expression, first, second) => {
    await installed(v1(label(expression)))
    expect((await search()).map((one: { label: unknown }) => one.label)).toEqual([first, second])
  })
})
