import { expect, test } from 'vitest'
import { METHODS } from '@/lib/http/route'
import { testDeps } from '@/lib/testing/deps'
import { testKey } from '@/lib/testing/request'
import { ALL_ROUTES } from './all-routes'
import { described, expectSame, requestOf, type Send, type Sent } from './testing/same-responses'

/** The users are two, whose identifiers are random. */
const IN_ORDER: Record<string, string> = { 'GET /api/users': '?sort=createdAt' }

/** What a client sees of every method of every route, with a key and without. */
async function seenBy(send: Send): Promise<Record<string, unknown>> {
  const key = await testKey(await testDeps(), ['ADMIN'])
  const seen: Record<string, unknown> = {}
  const note = async (name: string, sent: Sent) => {
    seen[name] = await described(await send(requestOf(sent)), sent.method)
  }
  for (const route of Object.keys(ALL_ROUTES))
    for (const method of METHODS) {
      const path = route.replace(/\[+[.\w]+\]+/g, '77') + (IN_ORDER[`${method} ${route}`] ?? '')
      if (method === 'GET' || method === 'POST')
        await note(`${method} ${path} of a stranger`, { path, method })
      const headers = { authorization: `Bearer ${key}` }
      if (method !== 'DELETE' || !path.includes('sessions'))
        await note(`${method} ${path}`, { path, method, headers })
    }
  return seen
}

test('the server responds as the handlers alone to every method of every route', async () => {
  expect(await expectSame(seenBy)).toBeGreaterThan(400)
})
