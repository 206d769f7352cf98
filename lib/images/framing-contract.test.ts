import { describe, expect, test } from 'vitest'
import { cropSchema } from './contract'
import { cropAfter, framingTag, regionOf } from './framing-contract'

const image = { width: 400, height: 200, crop: null, focalPoint: null }
const CENTRE = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 }

describe('a form shows', () => {
  test.each([
    ['all without a crop', image, null, null],
    ['all of an image of those proportions', { ...image, width: 200 }, '1:1', null],
    ['the crop', { ...image, crop: CENTRE }, null, [100, 50, 200, 100]],
    ['the middle', image, '1:1', [100, 0, 200, 200]],
    [
      'what is around the focal point',
      { ...image, focalPoint: { x: 0.4, y: 1 } },
      '1:1',
      [60, 0, 200, 200],
    ],
    [
      'nothing beyond an edge',
      { ...image, focalPoint: { x: 0.99, y: 0 } },
      '1:1',
      [200, 0, 200, 200],
    ],
    ['the middle of the crop', { ...image, crop: CENTRE }, '1:1', [150, 50, 100, 100]],
    [
      'the part of the crop next to a focal point outside',
      { ...image, crop: CENTRE, focalPoint: { x: 0, y: 0 } },
      '1:1',
      [100, 50, 100, 100],
    ],
    ['an upright part', image, '9:16', [144, 0, 113, 200]],
    [
      'one pixel at least',
      { ...image, crop: { x: 1, y: 0.5, width: 1e-7, height: 1e-7 } },
      '16:9',
      [399, 100, 1, 1],
    ],
  ] as const)('%s', (_, shown, aspect, expected) => {
    const region = regionOf(shown, aspect)
    const numbers = region && [region.left, region.top, region.width, region.height]
    expect(numbers).toEqual(expected)
  })
})

test.each([
  [{ x: 0, y: 0, width: 1, height: 1 }, true],
  [{ x: 0.1, y: 0.7, width: 0.9, height: 0.3 }, true],
  [{ x: 0.2, y: 0, width: 0.9, height: 1 }, false],
  [{ x: 0, y: 0.5, width: 1, height: 0.6 }, false],
  [{ x: -0.1, y: 0, width: 0.5, height: 1 }, false],
  [{ x: 0, y: 0, width: 0, height: 1 }, false],
  [{ x: 0, y: 0, width: 400, height: 200 }, false],
  [{ x: 0, y: 0, width: 1 }, false],
  [{ x: '0', y: 0, width: 1, height: 1 }, false],
  [{ x: 0, y: 0, width: 1, height: 1, angle: 1 }, false],
  [{ x: Number.NaN, y: 0, width: 1, height: 1 }, false],
])('the crop %j is taken: %s', (crop, taken) => {
  expect(cropSchema.safeParse(crop).success).toBe(taken)
})

test('a crop stays with another resolution, and goes with other proportions', () => {
  const cropped = { ...image, crop: CENTRE }
  expect(cropAfter(cropped, { width: 400, height: 200 })).toEqual(CENTRE)
  expect(cropAfter(cropped, { width: 1333, height: 667 })).toEqual(CENTRE)
  expect(cropAfter(cropped, { width: 200, height: 400 })).toBeNull()
  expect(cropAfter(image, { width: 400, height: 200 })).toBeNull()
})

test('the tag of an address is another one for every crop and focal point', () => {
  const point = { x: 0.25, y: 0.25 }
  const framings = [
    { crop: null, focalPoint: null },
    { crop: CENTRE, focalPoint: null },
    { crop: null, focalPoint: point },
    { crop: CENTRE, focalPoint: point },
    { crop: null, focalPoint: { x: 0.25, y: 0.250002 } },
  ]
  const tags = framings.map(framingTag)
  expect(new Set(tags).size).toBe(framings.length)
  for (const tag of tags) expect(tag).toMatch(/^[0-9a-z-]{1,60}$/)
})
