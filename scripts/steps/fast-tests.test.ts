import { expect, test } from 'vitest'
import { pureTests } from './fast-tests.mjs'

test('tests that use a database themselves, or by what they share, are not pure', () => {
  const pure = pureTests()
  expect(pure).toContain('lib/definitions/parse-entity-definition.test.ts')
  expect(pure).not.toContain('app/api/access.test.ts')
  expect(pure).not.toContain('app/api/plugins/install/zip/wider-keys.test.ts')
  expect(pure).not.toContain('lib/registry/registry.test.ts')
})
