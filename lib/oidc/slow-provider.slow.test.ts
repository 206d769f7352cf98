import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import { listen } from '@/lib/testing/listen'
import { openProvider } from './provider-client'
import { toRefusal } from './refusals'

/** Begins each answer, and never ends it. */
const server = await listen(
  createServer((_, response) => void response.writeHead(200).write('{"issuer":')),
)
afterAll(() => server.close())

test('a provider that never ends its answer is given up after ten seconds', async () => {
  const { OIDC } = parseEnv({
    OIDC_SLOW_ISSUER: `http://127.0.0.1:${server.port}`,
    OIDC_SLOW_CLIENT_ID: 'engine',
  })
  const [slow] = OIDC
  if (!slow) throw new Error('There is no provider')
  const startedAt = performance.now()
  const error = await openProvider(slow).catch(toRefusal)
  expect(error).toMatchObject({ code: 'OidcAway' })
  expect(performance.now() - startedAt).toBeLessThan(15_000)
}, 30_000)
