import { generateApiKey } from '@/lib/auth/api-key'
import { apiKeys, users } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import type { Handler } from '@/lib/http/route'
import { checkResponse } from './check-response'

type Call = {
  method?: string
  /** `/api/entities/Airport/search?…` */
  path: string
  /** JSON; a FormData, string or bytes are sent as they are. */
  body?: unknown
  headers?: Record<string, string>
  /** Roles of the caller, a new user; without them, the request has no credential. */
  as?: string[] | string
  /** Scopes of the caller's key. */
  scopes?: string[]
  params?: Record<string, string | string[]>
}

/**
 * Calls a handler as a client would and reads its JSON response. Throws when the response is not as
 * documented by the API's document, so that any test of a handler is a test of its description.
 */
export async function call(deps: Deps, handler: Handler, { params = {}, ...spec }: Call) {
  const request = await testRequest(deps, spec)
  const response = await handler(request, { params: Promise.resolve(params) })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined
  const { status, headers } = response
  if (handler.spec) {
    const { method = 'GET' } = spec
    const asked = { method, entityName: params.entityName as string, request }
    const received = { status, contentType: headers.get('content-type'), body: json, text }
    await checkResponse(deps, handler.spec, asked, received)
  }
  return { status, headers, text, body: json }
}

/** A request with an API key of a new user with the roles `as`, or without a credential. */
export async function testRequest(
  deps: Deps,
  { method = 'GET', path, body, headers, as, scopes }: Omit<Call, 'params'>,
) {
  const all = new Headers(headers)
  if (as) all.set('authorization', `Bearer ${await testKey(deps, [as].flat(), scopes)}`)
  const raw = body instanceof FormData || typeof body === 'string' || body instanceof Uint8Array
  if (body !== undefined && !raw) all.set('content-type', 'application/json')
  const payload = (raw ? body : body === undefined ? undefined : JSON.stringify(body)) as
    | BodyInit
    | undefined
  return new Request(`http://test.local${path}`, { method, headers: all, body: payload })
}

/** A key with roles of its own. */
export async function testKeyOfRoles(
  { db }: Deps,
  roles: string[],
  scopes: string[] | null = null,
): Promise<string> {
  const { key, prefix, hash } = generateApiKey()
  await db.insert(apiKeys).values({ name: 'test', prefix, hash, scopes, roles })
  return key
}

/** The key of a new active user. */
export async function testKey(
  { db }: Deps,
  roles: string[],
  scopes: string[] | null = null,
): Promise<string> {
  const id = crypto.randomUUID()
  const user = { id, email: `${id}@example.com`, roles, status: 'ACTIVATED' } as const
  const { key, prefix, hash } = generateApiKey()
  // One statement: most calls of tests begin with this.
  const added = db.$with('added').as(db.insert(users).values(user).returning({ id: users.id }))
  await db.with(added).insert(apiKeys).values({ name: 'test', prefix, hash, scopes, ownerId: id })
  return key
}
