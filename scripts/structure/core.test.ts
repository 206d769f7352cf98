import { expect, test } from 'vitest'
import { isOfLayer, partFiles } from './core.mjs'

test('the core reaches no file of a layer', () => {
  const { core, layers } = partFiles(process.cwd())
  expect(core.filter(isOfLayer(process.cwd()))).toEqual([])
  expect(core).toContain('lib/search/search-records.ts')
  expect(layers).toContain('lib/layers/remembered-pages.ts')
})
