import { beforeAll, describe, expect, test } from 'vitest'
import type { Handler } from '@/lib/http/route'
import { FUZZ_ROUNDS } from '@/lib/testing/budget'
import { jsonTestSuite } from '@/lib/testing/corpora'
import { databaseState } from '@/lib/testing/database-state'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { parseJson } from '@/lib/values/json'
import { ROUTES } from './routes'
import { addAdministrator, browserOf, identityProvider, keyOf } from './testing/hostile/credentials'

const deps = currentDeps()
const CASES = await jsonTestSuite()
const malformed = CASES.filter(({ error }) => error)
const sound = CASES.filter(({ error }) => error === false)
/** Of the corpus to each route; all of them with `FUZZ_ROUNDS=48`. */
const CASES_A_ROUND = 4

type Route = { name: string; path: string; method: string; handler: Handler }
const routes: Route[] = Object.entries(ROUTES).flatMap(([path, handlers]) =>
  Object.entries(handlers).flatMap(([method, handler]) =>
    handler?.spec?.body ? [{ name: `${method} ${path}`, path, method, handler }] : [],
  ),
)

test('the corpus is read as it says', () => {
  const isRead = (text: string) => {
    try {
      parseJson(text)
      return true
    } catch {
      return false
    }
  }
  expect(malformed.filter(({ input }) => isRead(input)).map(({ name }) => name)).toEqual([])
  expect(sound.filter(({ input }) => !isRead(input)).map(({ name }) => name)).toEqual([])
  expect([malformed.length > 180, sound.length > 90]).toEqual([true, true])
})

describe('malformed JSON', () => {
  let credentials: Record<string, Record<string, string>>
  let before: unknown
  beforeAll(async () => {
    await testDeps()
    const user = await addAdministrator(deps)
    const key = (await keyOf(deps, user)).headers
    const scim = await identityProvider(deps)
    credentials = { key, 'own-session': await browserOf(deps, user), scim }
    before = await databaseState(deps.db)
  })

  test('is refused by every route that reads JSON, with what is wrong, and nothing is done', async () => {
    expect(routes.length).toBeGreaterThan(35)
    for (const [at, { name, path, method, handler }] of routes.entries())
      for (let n = 0; n < CASES_A_ROUND * FUZZ_ROUNDS; n++) {
        const { input, name: which } = malformed[
          (at * CASES_A_ROUND + n) % malformed.length
        ] as (typeof CASES)[0]
        const headers = {
          ...(credentials[String(handler.spec?.access)] ?? credentials.key),
          'content-type': 'application/json',
        }
        const params = Object.fromEntries(
          [...path.matchAll(/\[(\w+)\]/g)].map(([, param = '']) => [
            param,
            path.includes('history') ? '1' : crypto.randomUUID(),
          ]),
        )
        const { status, body } = await call(deps, handler, {
          method,
          path: '/api/x',
          params,
          headers,
          body: input,
        })
        const isEmpty = input.trim() === ''
        expect.soft({ name, which, status, text: JSON.stringify(body) }).toMatchObject({
          status: isEmpty && handler.spec?.optionalBody ? expect.any(Number) : 400,
          text: expect.stringMatching(
            isEmpty ? /needs a JSON body|not valid JSON/ : /not valid JSON|deeper/,
          ),
        })
      }
    expect(await databaseState(deps.db)).toEqual(before)
  })
})
