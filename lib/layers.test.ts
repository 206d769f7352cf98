import { expect, test } from 'vitest'
import { LAYERS, layersFor } from './layers'

test('layers have names of their own, and any can be left out', () => {
  const names = LAYERS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const { around, added } = layersFor({ DISABLED_LAYERS: names })
  expect([around.size, added.size]).toEqual([0, 0])
})

test('a name that is no layer is refused with the one that may be meant', () => {
  expect(() => layersFor({ DISABLED_LAYERS: ['replica'] })).toThrow(
    'Invalid environment. DISABLED_LAYERS: no layer has the name "replica"; did you mean "replicas"?',
  )
  expect(() => layersFor({ DISABLED_LAYERS: ['x'] })).toThrow('; there are request-metrics, ')
})
