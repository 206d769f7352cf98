import { beforeEach, describe, expect, test } from 'vitest'
import { scimCaller } from '@/lib/auth/scim-token'
import { auditLog, scimTokens } from '@/lib/db/schema'
import { routeFinder } from '@/lib/server/api-handler'
import { currentDeps, freshDeps, testsOnPostgres } from '@/lib/testing/deps'
import { call, testKey } from '@/lib/testing/request'
import { secondInstance } from '@/lib/testing/second-instance'
import * as keys from '../api-keys/route'
import { ROUTES } from '../routes'
import * as token from '../scim-token/route'
import { SCIM_ROUTES } from './routes'
import { ScimClient } from './testing/scim'

const deps = freshDeps({ METRICS_TOKEN: 'a-token-of-metrics', API_RATE_LIMIT: '150/h' })
const find = routeFinder(ROUTES)

async function ask(method: string, path: string, authorization?: string) {
  const { handlers, params } = find(path) ?? {}
  const headers = authorization ? { authorization } : undefined
  const handler = handlers?.[method]
  if (!handler) throw new Error(`${method} ${path}`)
  return call(deps, handler, { method, path, params, headers })
}

const ERROR = ['urn:ietf:params:scim:api:messages:2.0:Error']
const PATHS = Object.keys(SCIM_ROUTES)
  .filter((path) => path.startsWith('/api/scim/'))
  .map((path) => path.replace('[[...path]]', 'nope').replace('[id]', '7'))
const MANAGE = { GET: token.GET, POST: token.POST, DELETE: token.DELETE }
const manage = (method: 'GET' | 'POST' | 'DELETE', as: string[] | string, scopes?: string[]) =>
  call(deps, MANAGE[method], { method, path: '/api/scim-token', as, scopes })

describe('without a token', () => {
  test.each(PATHS)('%s is not there, in the form of SCIM', async (path) => {
    for (const authorization of [
      undefined,
      'Bearer x',
      `Bearer ${await testKey(deps, ['ADMIN'])}`,
    ]) {
      const response = await ask('GET', path, authorization)
      expect(response).toMatchObject({ status: 404, body: { schemas: ERROR, status: '404' } })
      expect(response.headers.get('content-type')).toMatch(/^application\/scim\+json/)
    }
  })
})

describe('with a token', () => {
  let client: ScimClient
  beforeEach(async () => {
    client = await ScimClient.start(deps)
  })

  test.each(PATHS)('%s refuses every other credential', async (path) => {
    const key = await testKey(deps, ['ADMIN'])
    for (const sent of [
      '',
      `Bearer ${key}`,
      'Bearer a-token-of-metrics',
      `Bearer ${client.token}x`,
      `Basic ${client.token}`,
    ]) {
      const response = await ask('GET', path, sent || undefined)
      expect(response).toMatchObject({ status: 401, body: { schemas: ERROR, status: '401' } })
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
    }
  })

  test('it opens nothing else', async () => {
    const others = Object.entries(ROUTES).filter(([path, { GET }]) => {
      const access = GET?.spec?.access
      return (
        !path.startsWith('/api/scim/') && access && access !== 'public' && access !== 'optional'
      )
    })
    expect(others.length).toBeGreaterThan(50)
    for (const [path, { GET }] of others) {
      const params = { entityName: 'Thing', id: '1', name: 'x' }
      const headers = { authorization: `Bearer ${client.token}` }
      const request = new Request(`http://test.local${encodeURI(path)}`, { headers })
      const response = await GET?.(request, { params: Promise.resolve(params) })
      expect([path, response?.status]).toEqual([path, 401])
    }
  })

  test('unknown paths and methods are answered in the form of SCIM', async () => {
    const bearer = `Bearer ${client.token}`
    const nope = await ask('POST', '/api/scim/v2/Bulk', bearer)
    expect(nope).toMatchObject({ status: 404, body: { schemas: ERROR } })
    const put = await ask('PUT', '/api/scim/v2/Users', bearer)
    expect(put).toMatchObject({ status: 405, body: { schemas: ERROR, status: '405' } })
    expect(put.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
  })

  test('says what it can do', async () => {
    const bearer = `Bearer ${client.token}`
    const read = async (path: string) => (await ask('GET', `/api/scim/v2/${path}`, bearer)).body
    expect(await read('ServiceProviderConfig')).toMatchObject({
      ...{ patch: { supported: true }, bulk: { supported: false }, etag: { supported: true } },
      filter: { supported: true, maxResults: 200 },
    })
    const types = await read('ResourceTypes')
    expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
      '/Users',
      '/Groups',
    ])
    expect(await read('ResourceTypes/User')).toEqual(types.Resources[0])
    for (const one of (await read('Schemas')).Resources) {
      expect(one.attributes.length).toBeGreaterThan(1)
      expect(await read(`Schemas/${one.id}`)).toEqual(one)
    }
    expect((await ask('GET', '/api/scim/v2/Schemas/x', bearer)).status).toBe(404)
  })

  test('requests are limited as those of keys are', async () => {
    for (let n = 0; n < 150; n++)
      expect((await client.send('GET', 'Users?count=0')).status).toBe(200)
    const refused = await client.send('GET', 'Users?count=0')
    expect(refused).toMatchObject({ status: 429, body: { schemas: ERROR, status: '429' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('the token', () => {
  test('is made, rotated and revoked by callers with all rights, and shown once', async () => {
    expect((await manage('GET', 'ADMIN')).body.data).toEqual([])
    const made = await manage('POST', 'ADMIN')
    expect(made).toMatchObject({
      status: 201,
      body: { data: [{ token: expect.stringMatching(/^scim_/) }] },
    })
    const first = made.body.data[0].token
    expect(JSON.stringify(await deps.db.select().from(scimTokens))).not.toContain(first)
    expect((await manage('GET', 'ADMIN')).text).not.toContain(first)
    expect((await ask('GET', '/api/scim/v2/Users', `Bearer ${first}`)).status).toBe(200)
    expect((await manage('GET', 'ADMIN')).body.data[0].lastUsedAt).not.toBeNull()
    const second = (await manage('POST', 'ADMIN')).body.data[0].token
    expect((await ask('GET', '/api/scim/v2/Users', `Bearer ${first}`)).status).toBe(401)
    expect((await ask('GET', '/api/scim/v2/Users', `Bearer ${second}`)).status).toBe(200)
    expect((await manage('DELETE', 'ADMIN')).status).toBe(200)
    expect((await ask('GET', '/api/scim/v2/Users', `Bearer ${second}`)).status).toBe(404)
    const logged = await deps.db.select().from(auditLog)
    expect(logged.map(({ action }) => action)).toEqual([
      ...['scim-token.create', 'scim-token.rotate', 'scim-token.revoke'],
    ])
    expect(JSON.stringify(logged)).not.toContain(second)
  })

  test('is not made by those who could get rights with it', async () => {
    expect((await manage('POST', 'EDITOR')).status).toBe(403)
    expect((await manage('POST', 'ADMIN', ['security:manage'])).status).toBe(403)
    const key = await call(deps, keys.POST, {
      ...{ method: 'POST', path: '/api/api-keys', as: 'ADMIN' },
      body: { name: 'short', expiresAt: new Date(Date.now() + 60_000).toISOString() },
    })
    const headers = { authorization: `Bearer ${key.body.data[0].apiKey}` }
    const made = await call(deps, token.POST, { method: 'POST', path: '/api/scim-token', headers })
    expect(made.status).toBe(403)
  })

  test.runIf(testsOnPostgres())(
    'that is revoked on one instance is refused at once on another',
    async () => {
      const { token: sent } = await ScimClient.start(deps)
      const { other, close } = await secondInstance(currentDeps())
      try {
        const headers = new Headers({ authorization: `Bearer ${sent}` })
        expect(await scimCaller({ headers }, other)).toMatchObject({ name: 'SCIM', roles: [] })
        await manage('POST', 'ADMIN')
        await expect(scimCaller({ headers }, other)).rejects.toMatchObject({
          code: 'unauthenticated',
        })
        await manage('DELETE', 'ADMIN')
        await expect(scimCaller({ headers }, other)).rejects.toMatchObject({ code: 'not_found' })
      } finally {
        await close()
      }
    },
  )
})
