import { expect, test } from 'vitest'
import { allOf, countsOf, decisionsOf, isSame, sideOf, UNRESOLVED, withSide } from './resolution'

const one = { entity: 'Shoe', key: 'boot' }
const two = { entity: 'Shoe', key: 'clog' }
const shoes = (total: number, fallback: 'keep' | 'take' | null) => [
  { entity: 'Shoe', total, fallback },
]

test('a choice about one record is an exception to that about all', () => {
  const resolution = withSide(allOf('keep'), one, 'take')
  expect([sideOf(resolution, one), sideOf(resolution, two)]).toEqual(['take', 'keep'])
  expect(countsOf(resolution, shoes(8, 'take'))).toEqual({ keep: 7, take: 1, open: 0 })
  expect(decisionsOf(resolution)).toEqual({ Shoe: { take: ['boot'] } })
})

test('a choice that is that about all is no exception', () => {
  const back = withSide(withSide(allOf('take'), one, 'keep'), one, 'take')
  expect(isSame(back, allOf('take'))).toBe(true)
  expect(decisionsOf(back)).toBeNull()
})

test('without a choice it is as the plugin says, or open', () => {
  const resolution = withSide(UNRESOLVED, two, 'keep')
  expect([sideOf(resolution, one), sideOf(resolution, two)]).toEqual([null, 'keep'])
  expect(countsOf(resolution, shoes(3, null))).toEqual({ keep: 1, take: 0, open: 2 })
  const groups = [...shoes(3, 'take'), { entity: 'Sock', total: 4, fallback: 'keep' as const }]
  expect(countsOf(resolution, groups)).toEqual({ keep: 5, take: 2, open: 0 })
  expect(isSame(UNRESOLVED, allOf('keep'))).toBe(false)
})
