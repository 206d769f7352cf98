import { expect, test } from 'vitest'
import { nextManifest } from './next-version'

test('a version that is made here has no changes of its author’s', () => {
  const manifest = { id: 'com.example.shop', version: '1.2.0', changes: 'Half sizes', mine: 1 }
  expect(nextManifest(manifest)).toEqual({
    ...{ id: 'com.example.shop', version: '1.2.0+local.1', mine: 1 },
  })
  expect(nextManifest({ id: 'com.example.shop', changes: 'Half sizes' })).toEqual({
    id: 'com.example.shop',
  })
})
