import { expect, test } from 'vitest'
import { added, around, attachLayers, type Layer, type Point } from './around'

type Place = { layers: ReturnType<typeof attachLayers>; at: string }

declare module './around' {
  interface Points {
    testPoint: Point<Place, number, string>
  }
  interface Lists {
    testList: string
  }
}

const noting = (name: string): Layer => ({
  name,
  around: {
    testPoint: async (deps, input, next) =>
      `${name}${input}(${await next({ ...deps, at: `${deps.at}/${name}` })})`,
  },
  adds: { testList: [name] },
})
const placeOf = (...names: string[]): Place => ({
  layers: attachLayers(names.map(noting)),
  at: 'top',
})
const run = (place: Place) => around(place, 'testPoint', 7, async ({ at }) => at)

test('layers run around the work, the first outermost, and hand on what to work with', async () => {
  expect(await run(placeOf())).toBe('top')
  expect(await run(placeOf('a', 'b'))).toBe('a7(b7(top/a/b))')
})

test('a layer may answer itself, and see what the work throws', async () => {
  const silent: Layer = { name: 'x', around: { testPoint: async () => 'known' } }
  expect(await run({ layers: attachLayers([silent]), at: '' })).toBe('known')
  const mending: Layer = {
    name: 'y',
    around: { testPoint: (deps, _, next) => next(deps).catch(() => 'mended') },
  }
  const place = { layers: attachLayers([mending]), at: '' }
  const work = () => Promise.reject(new Error('broken'))
  expect(await around(place, 'testPoint', 1, work)).toBe('mended')
})

test('what layers add to a list stands there in their order', () => {
  expect(added(placeOf('b', 'a'), 'testList')).toEqual(['b', 'a'])
  expect(added(placeOf(), 'testList')).toEqual([])
})
