import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as citus from './citus-tests.mjs'
import {
  BY_DIALECT,
  CHOSEN,
  databaseTests,
  KILLED_WITH_DATABASE,
  matrixBesidePostgres,
  OPENS_NONE,
  RUN_ONCE,
  TWICE_IN_MATRIX,
  testsBesidePostgres,
  testsWithoutDatabase,
} from './database-tests.mjs'
import * as pooled from './pooled-tests.mjs'

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

test('what is named in a list is there: a file that was moved is moved in the lists', () => {
  const fixed = Object.keys(citus.LEFT_OUT).filter((name) => !name.includes('*'))
  const starts = [...BY_DIALECT, ...citus.SELECTED, ...pooled.SELECTED, ...fixed]
  const isThere = (start: string) => tests.some((name) => name.startsWith(start))
  expect(starts.filter((start) => !isThere(start))).toEqual([])
  const named = [...CHOSEN.embedded, ...CHOSEN.citus, ...KILLED_WITH_DATABASE]
  const all = [...named, ...RUN_ONCE, ...TWICE_IN_MATRIX]
  expect(all.filter((name) => !tests.includes(name))).toEqual([])
  expect(OPENS_NONE.filter((name) => !testsWithoutDatabase().includes(name))).toEqual([])
})

test('no test is in neither of the two runs, and few are in both', () => {
  const beside = testsBesidePostgres()
  const both = beside.filter((name) => tests.includes(name))
  expect(both).toContain('lib/db/locks.test.ts')
  expect(both).toContain('app/api/plugins/install/zip/route.test.ts')
  expect(both.length).toBeLessThan(tests.length / 5)
  expect(beside).toContain('lib/definitions/parse-entity-definition.test.ts')
})

test('one that only leaves tests out on the embedded database runs a second time in the matrix alone', () => {
  const once = testsBesidePostgres()
  const twice = [...testsWithoutDatabase(), ...matrixBesidePostgres()]
  expect(once.filter((name) => !twice.includes(name))).toEqual([])
  const left = ['app/api/auth/oidc-recheck.test.ts', ...TWICE_IN_MATRIX]
  expect(left.filter((name) => once.includes(name) || !twice.includes(name))).toEqual([])
})
