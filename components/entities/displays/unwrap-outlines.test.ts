import { expect, test } from 'vitest'
import { unwrappedRing } from './map-style'

test('an outline across the 180th meridian goes on beyond it', () => {
  const ring = [
    [170, 60],
    [-170, 60],
    [-170, 70],
    [170, 70],
    [170, 60],
  ]
  expect(unwrappedRing(ring).map(([longitude]) => longitude)).toEqual([170, 190, 190, 170, 170])
})

test('an outline that crosses nothing, and one around a pole, stay as they are', () => {
  const land = [
    [-10, 0],
    [20, 0],
    [20, 30],
    [-10, 0],
  ]
  expect(unwrappedRing(land)).toEqual(land)
  const pole = [
    [-180, -60],
    [-60, -60],
    [60, -60],
    [180, -60],
    [180, -90],
    [-180, -90],
    [-180, -60],
  ]
  expect(unwrappedRing(pole)).toEqual(pole)
})
