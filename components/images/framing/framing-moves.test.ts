import { expect, test } from 'vitest'
import {
  cropOf,
  moveCrop,
  movePoint,
  pixelsOf,
  resizeCrop,
  toFraming,
  WHOLE,
} from './framing-moves'

const SIZE = { width: 100, height: 50 }
const crop = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 }

test('a crop moves as far as the edges of the image', () => {
  expect(moveCrop(crop, { x: 0.125, y: -0.125 })).toEqual({ ...crop, x: 0.375, y: 0.125 })
  expect(moveCrop(crop, { x: 2, y: -2 })).toEqual({ ...crop, x: 0.5, y: 0 })
  expect(moveCrop(WHOLE, { x: 0.5, y: 0.5 })).toEqual(WHOLE)
})

test('a handle moves its edges, to the edge of the image and to one pixel', () => {
  const by = { x: 0.125, y: 0.125 }
  expect(resizeCrop(crop, { x: 1, y: 0 }, by, SIZE)).toEqual({ ...crop, width: 0.625 })
  expect(resizeCrop(crop, { x: -1, y: -1 }, by, SIZE)).toEqual({
    ...{ x: 0.375, y: 0.375, width: 0.375, height: 0.375 },
  })
  expect(resizeCrop(crop, { x: -1, y: 1 }, { x: -9, y: 9 }, SIZE)).toEqual({
    ...{ x: 0, y: 0.25, width: 0.75, height: 0.75 },
  })
  const least = resizeCrop(crop, { x: -1, y: 1 }, { x: 9, y: -9 }, SIZE)
  expect(least.x).toBeCloseTo(0.74)
  expect([least.width, least.height]).toEqual([expect.closeTo(0.01), expect.closeTo(0.02)])
})

test('a focal point stays inside', () => {
  expect(movePoint({ x: 0.5, y: 0.5 }, { x: 0.25, y: -1 })).toEqual({ x: 0.75, y: 0 })
})

test('whole pixels are sent, and nothing for all of them', () => {
  expect(pixelsOf(crop, SIZE)).toEqual({ left: 25, top: 13, width: 50, height: 25 })
  expect(cropOf({ left: 90, top: -3, width: 20, height: 500 }, SIZE)).toEqual({
    ...{ x: 0.8, y: 0, width: 0.2, height: 1 },
  })
  const odd = { x: 0.1234, y: 0, width: 0.5, height: 1 }
  expect(toFraming(odd, null, SIZE)).toEqual({
    ...{ crop: { x: 0.12, y: 0, width: 0.5, height: 1 }, focalPoint: null },
  })
  expect(toFraming(WHOLE, null, SIZE)).toEqual({ crop: null, focalPoint: null })
  expect(toFraming({ ...WHOLE, width: 0.999 }, { x: 0, y: 1 }, SIZE)).toEqual({
    ...{ crop: null, focalPoint: { x: 0, y: 1 } },
  })
})
