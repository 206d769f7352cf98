import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { databaseTests, testsBesidePostgres } from './database-tests.mjs'

const tests = databaseTests()

test('tests that share what opens the database are among them, those that open none are not', () => {
  expect(tests).toContain('lib/registry/registry.test.ts')
  expect(tests).toContain('lib/mail/killed-app.slow.test.ts')
  expect(tests).toContain('app/api/images/upload/route.test.ts')
  expect(tests).not.toContain('lib/definitions/parse-entity-definition.test.ts')
  expect(tests).not.toContain('lib/db/pglite.test.ts')
})

test('the tests of every route are among them', () => {
  const everyApi = readdirSync('app/api', { recursive: true })
    .map((name) => `app/api/${name}`)
    .filter((name) => name.endsWith('route.test.ts'))
  expect(everyApi.filter((name) => !tests.includes(name))).toEqual([])
})

test('no test is in neither of the two runs, and few are in both', () => {
  const beside = testsBesidePostgres()
  const both = beside.filter((name) => tests.includes(name))
  expect(both).toContain('lib/db/locks.test.ts')
  expect(both).toContain('app/api/plugins/install/zip/route.test.ts')
  expect(both.length).toBeLessThan(tests.length / 5)
  expect(beside).toContain('lib/definitions/parse-entity-definition.test.ts')
})
