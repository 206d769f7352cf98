import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { generateApiKey } from '@/lib/auth/api-key'
import { PERMISSIONS } from '@/lib/auth/rights'
import { sessionCookie } from '@/lib/auth/session-cookie'
import { startSession } from '@/lib/auth/session-store'
import { encodeSession, newSession } from '@/lib/auth/session-token'
import { apiKeys, policies, users } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import type { Handler } from '@/lib/http/route'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'

/** Every route against every credential. A route without its row here fails the tests. */

const API = join(__dirname, '..')

const deps = currentDeps()

const SCOPES = [
  ...PERMISSIONS,
  '*:read',
  '*:write',
  '*:update',
  '*:delete',
  'Thing:read',
  'EngineUsers:read',
] as const
/** A `Reader` may read things by a policy; to who is `Barred`, an editor otherwise, another one refuses everything with them. */
const ROLES = ['VIEWER', 'EDITOR', 'ADMIN', 'Clerk', 'Reader', 'Barred'] as const
/** Owners are administrators, so that the scope alone decides. */
const KEYS = ['key', ...SCOPES] as const
/** The key with a role of its own has all rights, and no account. */
const VALID = [...ROLES, ...KEYS, 'key with the role ADMIN', 'session'] as const
const INVALID = [
  'no credential',
  'unknown key',
  'expired key',
  'revoked key',
  'key of a disabled user',
  'session of a disabled user',
  'ended session',
] as const
type Credential =
  | (typeof VALID)[number]
  | (typeof INVALID)[number]
  | 'session of a generated password'

const ALL: readonly Credential[] = [...VALID, ...INVALID, 'session of a generated password']
/** Keys that are limited to scopes have no account, nor have those with roles of their own. */
const ACCOUNTS: readonly Credential[] = [
  ...ROLES,
  'key',
  'session',
  'session of a generated password',
]
/** Administrators by whichever credential of full rights. */
const ADMINS: readonly Credential[] = ['ADMIN', 'key', 'key with the role ADMIN', 'session']
const EDITORS: readonly Credential[] = [...ADMINS, 'EDITOR', 'Barred']
const VIEWERS: readonly Credential[] = [...EDITORS, 'VIEWER']
/** Of things. */
const THING_EDITORS: readonly Credential[] = [...ADMINS, 'EDITOR']

/** Who is let in, and what they get for the least of requests: no body, or `{}`. */
type Row = [
  allowed: readonly Credential[],
  status: number,
  params?: Record<string, string | string[]>,
]

const READERS: readonly Credential[] = [
  ...THING_EDITORS,
  'VIEWER',
  'Reader',
  '*:read',
  'Thing:read',
]
const WRITERS: readonly Credential[] = [...THING_EDITORS, '*:write']
const UPDATERS: readonly Credential[] = [...THING_EDITORS, '*:update']
const DELETERS: readonly Credential[] = [...THING_EDITORS, '*:delete']
const scoped = (scope: (typeof SCOPES)[number], ...others: Credential[]) => [
  ...ADMINS,
  scope,
  ...others,
]
const MANAGERS = scoped('users:manage')
const SECURITY = scoped('security:manage')
const WEBHOOKS = scoped('webhooks:manage')
/** People in a browser. */
const SESSIONS: readonly Credential[] = ['session', 'session of a generated password']

const thing = { entityName: 'Thing' }
const record = { entityName: 'Thing', id: '1' }
const comment = { ...record, commentId: crypto.randomUUID() }
const id = { id: crypto.randomUUID() }
const install = { id: '9' }
const userId = { userId: crypto.randomUUID() }
const batch = { batchId: crypto.randomUUID() }
const passkeyId = { passkeyId: crypto.randomUUID() }
const sessionId = { sessionId: crypto.randomUUID() }
const fileId = { fileId: crypto.randomUUID() }

// `Thing` is not installed: who is let in learns that it is not found.
export const ROWS: Record<string, Row> = {
  'DELETE /api/[[...path]]': [ALL, 404],
  'GET /api/[[...path]]': [ALL, 404],
  'PATCH /api/[[...path]]': [ALL, 404],
  'POST /api/[[...path]]': [ALL, 404],
  'PUT /api/[[...path]]': [ALL, 404],

  'GET /api/api-keys': [scoped('keys:manage'), 200],
  'POST /api/api-keys': [scoped('keys:manage'), 400],
  'GET /api/api-keys/[id]': [scoped('keys:manage'), 404, id],
  'DELETE /api/api-keys/[id]': [scoped('keys:manage'), 404, id],
  'POST /api/api-keys/[id]/rotate': [scoped('keys:manage'), 404, id],

  'GET /api/auth/[...nextauth]': [ALL, 200, { nextauth: ['session'] }],
  'POST /api/auth/[...nextauth]': [ALL, 400, { nextauth: ['session'] }],
  'POST /api/auth/activate-account': [ALL, 400],
  'POST /api/auth/forget-password': [ALL, 400],
  'GET /api/auth/oidc/[provider]': [ALL, 404, { provider: 'none' }],
  'GET /api/auth/oidc/[provider]/logout': [ALL, 404, { provider: 'none' }],
  'POST /api/auth/oidc/[provider]/logout': [ALL, 404, { provider: 'none' }],
  'POST /api/auth/passkey': [ALL, 200],
  'POST /api/auth/register': [ALL, 400],
  'POST /api/auth/register/confirm': [ALL, 400],
  'POST /api/auth/reset-password': [ALL, 400],
  'POST /api/auth/restore': [ALL, 409],
  'POST /api/auth/setup': [ALL, 400],

  'GET /api/backup': [SECURITY, 403],

  'GET /api/changes': [VALID, 400],

  'GET /api/entities': [VALID, 200],
  'GET /api/entities/[entityName]': [READERS, 404, thing],
  'POST /api/entities/[entityName]': [WRITERS, 404, thing],
  'PUT /api/entities/[entityName]': [UPDATERS, 404, thing],
  'GET /api/entities/[entityName]/[id]': [READERS, 404, record],
  'PUT /api/entities/[entityName]/[id]': [UPDATERS, 404, record],
  'PATCH /api/entities/[entityName]/[id]': [UPDATERS, 404, record],
  'DELETE /api/entities/[entityName]/[id]': [DELETERS, 404, record],
  'GET /api/entities/[entityName]/changes': [READERS, 404, thing],
  'GET /api/entities/[entityName]/[id]/comments': [READERS, 404, record],
  'POST /api/entities/[entityName]/[id]/comments': [READERS, 400, record],
  'PATCH /api/entities/[entityName]/[id]/comments/[commentId]': [READERS, 400, comment],
  'DELETE /api/entities/[entityName]/[id]/comments/[commentId]': [READERS, 404, comment],
  'GET /api/entities/[entityName]/[id]/history': [READERS, 404, record],
  'POST /api/entities/[entityName]/[id]/history/[version]/restore': [
    READERS,
    404,
    { ...record, version: '1' },
  ],
  'POST /api/entities/[entityName]/batch': [WRITERS, 400, thing],
  'PUT /api/entities/[entityName]/batch': [UPDATERS, 400, thing],
  'PATCH /api/entities/[entityName]/batch': [UPDATERS, 400, thing],
  'DELETE /api/entities/[entityName]/batch': [DELETERS, 400, thing],
  'GET /api/entities/[entityName]/advice': [scoped('system:read'), 404, thing],
  'POST /api/entities/definition-from-file': [scoped('plugins:install'), 415],
  'POST /api/entities/[entityName]/indexes': [scoped('plugins:install'), 400, thing],
  'GET /api/entities/[entityName]/definition': [scoped('plugins:read'), 404, thing],
  'GET /api/entities/[entityName]/distribution': [scoped('plugins:install'), 404, thing],
  'POST /api/entities/[entityName]/distribution': [scoped('plugins:install'), 400, thing],
  'POST /api/entities/[entityName]/erasure': [scoped('security:manage'), 404, thing],
  'PUT /api/entities/[entityName]/events': [scoped('plugins:install'), 400, thing],
  'DELETE /api/entities/[entityName]/indexes/[name]': [
    scoped('plugins:install'),
    404,
    { ...thing, name: 'x' },
  ],
  'GET /api/entities/[entityName]/columns': [READERS, 404, thing],
  'GET /api/entities/[entityName]/count': [READERS, 404, thing],
  'POST /api/entities/[entityName]/count': [READERS, 404, thing],
  'POST /api/entities/[entityName]/export': [READERS, 404, thing],
  'POST /api/entities/[entityName]/exports': [READERS, 404, thing],
  'POST /api/entities/[entityName]/import': [WRITERS, 415, thing],
  'POST /api/entities/[entityName]/import/preview': [WRITERS, 415, thing],
  'POST /api/entities/[entityName]/search': [READERS, 404, thing],

  'GET /api/exports': [VALID, 200],
  'GET /api/exports/[id]': [VALID, 404, id],
  'DELETE /api/exports/[id]': [VALID, 404, id],
  'POST /api/exports/[id]/cancel': [VALID, 404, id],
  'GET /api/exports/[id]/file': [VALID, 404, id],

  'GET /api/health': [ALL, 200],
  'GET /api/health/ready': [ALL, 200],
  'GET /api/metrics': [scoped('system:read'), 200],

  'GET /api/images': [[...VIEWERS, 'images:read'], 200],
  'GET /api/images/facets': [[...VIEWERS, 'images:read'], 200],
  'POST /api/images/search': [[...VIEWERS, 'images:read'], 200],
  'GET /api/images/[fileId]': [[...VIEWERS, 'images:read'], 404, fileId],
  'PATCH /api/images/[fileId]': [[...EDITORS, 'images:upload'], 400, fileId],
  'DELETE /api/images/[fileId]': [[...EDITORS, 'images:delete'], 404, fileId],
  'GET /api/images/[fileId]/uses': [[...VIEWERS, 'images:read'], 404, fileId],
  'PATCH /api/images/batch': [[...EDITORS, 'images:upload'], 400],
  'GET /api/images/files/[...path]': [ALL, 404, { path: ['x.png'] }],
  'POST /api/images/upload': [[...EDITORS, 'images:upload'], 415],
  'POST /api/images/upload-from-address': [[...EDITORS, 'images:upload'], 400],

  'GET /api/imports': [VALID, 200],
  'GET /api/imports/[id]': [VALID, 404, id],
  'DELETE /api/imports/[id]': [VALID, 404, id],
  'POST /api/imports/[id]/cancel': [VALID, 404, id],
  'GET /api/imports/[id]/refused': [VALID, 404, id],

  'GET /api/mails': [scoped('mail:manage'), 200],
  'GET /api/mails/[id]': [scoped('mail:manage'), 404, id],
  'POST /api/mails/[id]/retry': [scoped('mail:manage'), 404, id],

  'POST /api/model/apply': [scoped('plugins:install'), 400],
  'GET /api/model/definitions': [scoped('plugins:read'), 400],
  'GET /api/model/layers': [scoped('plugins:read'), 200],
  'GET /api/model/layers/[plugin]/export': [scoped('plugins:read'), 404, { plugin: '1' }],
  'POST /api/model/plan': [scoped('plugins:install'), 400],

  'GET /api/openapi.json': [ALL, 200],

  'GET /api/plugins': [scoped('plugins:read'), 200],
  'GET /api/plugins/[id]': [scoped('plugins:read'), 404, id],
  'DELETE /api/plugins/[id]': [scoped('plugins:install'), 404, id],
  'GET /api/plugins/[id]/drift': [scoped('plugins:read'), 404, id],
  'POST /api/plugins/[id]/drift/resolve': [scoped('plugins:install'), 400, id],
  'GET /api/plugins/[id]/export': [scoped('plugins:read'), 404, id],
  'POST /api/plugins/[id]/export': [scoped('plugins:read'), 400, id],
  'POST /api/plugins/export': [scoped('plugins:read'), 400],
  'GET /api/plugins/history': [scoped('plugins:read'), 200],
  'GET /api/plugins/history/[id]': [scoped('plugins:read'), 404, install],
  'GET /api/plugins/history/[id]/events': [scoped('plugins:read'), 404, install],
  'GET /api/plugins/history/[id]/logs': [scoped('plugins:read'), 404, install],
  'POST /api/plugins/history/[id]/cancel': [scoped('plugins:install'), 404, install],
  'POST /api/plugins/history/[id]/rollback': [scoped('plugins:install'), 404, install],
  'GET /api/plugins/index': [scoped('plugins:read'), 404],
  'POST /api/plugins/install/index': [scoped('plugins:install'), 400],
  'POST /api/plugins/install/zip': [scoped('plugins:install'), 400],

  'GET /api/promotions': [SECURITY, 200],
  'GET /api/promotions/[id]': [SECURITY, 404, id],
  'POST /api/promotions/[id]/undo': [SECURITY, 404, id],
  'GET /api/server': [scoped('system:read'), 200],
  'GET /api/server/checks': [scoped('system:read'), 200],
  'GET /api/server/retention': [scoped('system:read'), 200],
  'GET /api/servers': [SECURITY, 200],
  'POST /api/servers': [SECURITY, 400],
  'PATCH /api/servers/[id]': [SECURITY, 404, id],
  'DELETE /api/servers/[id]': [SECURITY, 404, id],
  'POST /api/servers/[id]/test': [SECURITY, 404, id],
  'POST /api/servers/[id]/plan': [SECURITY, 404, id],
  'POST /api/servers/[id]/promote': [SECURITY, 400, id],
  'GET /api/publishers': [scoped('plugins:read'), 200],
  'POST /api/publishers': [SECURITY, 400],
  'DELETE /api/publishers/[id]': [SECURITY, 404, id],
  'GET /api/policies': [SECURITY, 200],
  'POST /api/policies': [SECURITY, 400],
  'POST /api/policies/preview': [SECURITY, 400],
  'GET /api/policies/[id]': [SECURITY, 404, id],
  'PATCH /api/policies/[id]': [SECURITY, 404, id],
  'DELETE /api/policies/[id]': [SECURITY, 404, id],

  'GET /api/rights': [MANAGERS, 200],
  'GET /api/roles': [scoped('users:manage', 'security:manage'), 200],
  'POST /api/roles': [SECURITY, 400],
  'GET /api/roles/[name]': [scoped('users:manage', 'security:manage'), 200, { name: 'Clerk' }],
  'PATCH /api/roles/[name]': [SECURITY, 404, { name: 'Nobody' }],
  'DELETE /api/roles/[name]': [SECURITY, 404, { name: 'Nobody' }],
  'GET /api/records': [VALID, 400],
  'GET /api/tasks': [VALID, 200],

  'GET /api/trash': [VALID, 200],
  'DELETE /api/trash': [VALID, 200],
  'GET /api/trash/[batchId]': [VALID, 404, batch],
  'DELETE /api/trash/[batchId]': [VALID, 404, batch],
  'GET /api/trash/[batchId]/records': [VALID, 404, batch],
  'POST /api/trash/[batchId]/restore': [VALID, 404, batch],

  'GET /api/types.d.ts': [VALID, 200],

  'GET /api/users': [MANAGERS, 200],
  'POST /api/users/init': [MANAGERS, 400],
  'GET /api/users/[userId]': [MANAGERS, 404, userId],
  'PATCH /api/users/[userId]': [MANAGERS, 400, userId],
  'DELETE /api/users/[userId]': [MANAGERS, 404, userId],
  'POST /api/users/[userId]/activation-email': [MANAGERS, 404, userId],
  'GET /api/users/[userId]/identities': [MANAGERS, 404, userId],
  'DELETE /api/users/[userId]/identities/[identityId]': [
    MANAGERS,
    404,
    { ...userId, identityId: crypto.randomUUID() },
  ],
  'GET /api/users/[userId]/rights': [MANAGERS, 404, userId],
  'DELETE /api/users/[userId]/sessions': [MANAGERS, 404, userId],
  'GET /api/users/me': [ACCOUNTS, 200],
  'PUT /api/users/me/password': [ACCOUNTS, 400],

  'GET /api/users/me/second-factors': [SESSIONS, 200],
  'POST /api/users/me/second-factors/confirmation': [SESSIONS, 400],
  'POST /api/users/me/second-factors/passkeys': [SESSIONS, 400],
  'POST /api/users/me/second-factors/passkeys/options': [[], 403],
  'PATCH /api/users/me/second-factors/passkeys/[passkeyId]': [SESSIONS, 400, passkeyId],
  'DELETE /api/users/me/second-factors/passkeys/[passkeyId]': [[], 403, passkeyId],
  'POST /api/users/me/second-factors/recovery-codes': [[], 403],
  'POST /api/users/me/second-factors/totp': [[], 403],
  'DELETE /api/users/me/second-factors/totp': [[], 403],
  'POST /api/users/me/second-factors/totp/confirm': [SESSIONS, 400],
  'GET /api/users/me/sessions': [SESSIONS, 200],
  'DELETE /api/users/me/sessions': [SESSIONS, 200],
  'DELETE /api/users/me/sessions/[sessionId]': [SESSIONS, 404, sessionId],
  'DELETE /api/users/[userId]/second-factors': [SECURITY, 404, userId],
  'POST /api/users/[userId]/erasure': [SECURITY, 404, userId],
  'GET /api/users/[userId]/export': [SECURITY, 404, userId],

  // SCIM is off; `scim/access.test.ts` has the rest.
  'GET /api/scim/v2/Users': [ALL, 404],
  'POST /api/scim/v2/Users': [ALL, 404],
  'GET /api/scim/v2/Users/[id]': [ALL, 404, id],
  'PUT /api/scim/v2/Users/[id]': [ALL, 404, id],
  'PATCH /api/scim/v2/Users/[id]': [ALL, 404, id],
  'DELETE /api/scim/v2/Users/[id]': [ALL, 404, id],
  'GET /api/scim/v2/Groups': [ALL, 404],
  'POST /api/scim/v2/Groups': [ALL, 404],
  'GET /api/scim/v2/Groups/[id]': [ALL, 404, id],
  'PUT /api/scim/v2/Groups/[id]': [ALL, 404, id],
  'PATCH /api/scim/v2/Groups/[id]': [ALL, 404, id],
  'DELETE /api/scim/v2/Groups/[id]': [ALL, 404, id],
  'GET /api/scim/v2/ResourceTypes': [ALL, 404],
  'GET /api/scim/v2/ResourceTypes/[id]': [ALL, 404, id],
  'GET /api/scim/v2/Schemas': [ALL, 404],
  'GET /api/scim/v2/Schemas/[id]': [ALL, 404, id],
  'GET /api/scim/v2/ServiceProviderConfig': [ALL, 404],
  'GET /api/scim/v2/[[...path]]': [ALL, 404],
  'POST /api/scim/v2/[[...path]]': [ALL, 404],
  'PUT /api/scim/v2/[[...path]]': [ALL, 404],
  'PATCH /api/scim/v2/[[...path]]': [ALL, 404],
  'DELETE /api/scim/v2/[[...path]]': [ALL, 404],
  'GET /api/scim-token': [SECURITY, 200],
  'POST /api/scim-token': [ADMINS, 201],
  'DELETE /api/scim-token': [SECURITY, 200],

  'GET /api/settings/second-factor': [SECURITY, 200],
  'PUT /api/settings/second-factor': [SECURITY, 400],
  // Keys without an account have no address.
  'POST /api/settings/providers/[provider]/test': [SECURITY, 404, { provider: 'none' }],
  'POST /api/settings/test-mail': [['ADMIN', 'key', 'session'], 409],

  'GET /api/views': [VALID, 400],
  'POST /api/views': [VALID, 400],
  'PATCH /api/views/[id]': [VALID, 404, id],
  'DELETE /api/views/[id]': [VALID, 404, id],

  'GET /api/webhooks': [WEBHOOKS, 200],
  'POST /api/webhooks': [WEBHOOKS, 400],
  'GET /api/webhooks/[id]': [WEBHOOKS, 404, id],
  'PATCH /api/webhooks/[id]': [WEBHOOKS, 404, id],
  'DELETE /api/webhooks/[id]': [WEBHOOKS, 404, id],
  'GET /api/webhooks/[id]/deliveries': [WEBHOOKS, 404, id],
  'POST /api/webhooks/[id]/deliveries/[deliveryId]/redeliver': [
    WEBHOOKS,
    404,
    { ...id, deliveryId: id.id },
  ],
  'POST /api/webhooks/[id]/redeliver': [WEBHOOKS, 404, id],
  'POST /api/webhooks/[id]/rotate-secret': [WEBHOOKS, 404, id],
  'POST /api/webhooks/[id]/test': [WEBHOOKS, 404, id],
  'POST /api/webhooks/resend': [ALL, 404],
}

type Route = { name: string; handler: Handler; method: string; path: string }

/** The routes below a path of the API that matches; the others are not imported. */
export async function routesOf(matches: (path: string) => boolean): Promise<Route[]> {
  const files = readdirSync(API, { recursive: true, encoding: 'utf8' })
  const found: Route[] = []
  for (const file of files.filter((path) => /(^|\/)route\.ts$/.test(path)).sort()) {
    const path = join('/api', file.replace(/\/?route\.ts$/, ''))
    if (!matches(path)) continue
    const module = (await import(join(API, file))) as Record<string, Handler>
    for (const method of await methodsOf(module)) {
      const handler = module[method]
      if (handler) found.push({ name: `${method} ${path}`, handler, method, path })
    }
  }
  return found
}

/** The methods that do something, as OPTIONS states. */
async function methodsOf(module: Record<string, Handler>): Promise<string[]> {
  const request = new Request('http://test.local/api', { method: 'OPTIONS' })
  const response = await module.OPTIONS?.(request, { params: Promise.resolve({}) })
  const allow = response?.headers.get('allow') ?? 'GET, POST, PUT, PATCH, DELETE'
  return allow.split(', ').filter((method) => !['HEAD', 'OPTIONS'].includes(method))
}

type User = Partial<typeof users.$inferInsert>

async function addUser(user: User) {
  const values = {
    email: `${crypto.randomUUID()}@example.com`,
    roles: ['ADMIN'],
    status: 'ACTIVATED' as const,
  }
  return one(
    await deps.db
      .insert(users)
      .values({ ...values, ...user })
      .returning(),
  )
}

async function keyOf(user: User, key: Partial<typeof apiKeys.$inferInsert> = {}) {
  const { id: ownerId } = await addUser(user)
  const made = generateApiKey()
  await deps.db
    .insert(apiKeys)
    .values({ name: 'test', prefix: made.prefix, hash: made.hash, ownerId, ...key })
  return { 'x-engine-apikey': made.key }
}

async function keyOfRole(role: string) {
  const { key, prefix, hash } = generateApiKey()
  await deps.db.insert(apiKeys).values({ name: 'test', prefix, hash, roles: [role] })
  return { 'x-engine-apikey': key }
}

async function sessionOf(user: User, age = 0) {
  const { id, sessionVersion } = await addUser(user)
  const owner = { id, sessionVersion: sessionVersion - age }
  const visitor = { strong: false, userAgent: null, address: null }
  const session = await startSession(deps.db, { user: owner, ...visitor })
  const token = await encodeSession(newSession(session), deps.secret)
  const cookie = sessionCookie(token, deps.settings).split(';')[0] ?? ''
  return { cookie, 'sec-fetch-site': 'same-origin' }
}

/** Of the roles that have their rights from policies. */
async function addPolicies() {
  const policy = (name: string, actions: string[], allow: boolean) => ({
    ...{ name, actions, allow, principals: [name.toLowerCase()], entities: ['thing'], priority: 0 },
    definition: {
      name,
      actions,
      allow,
      principals: [name],
      entities: ['Thing'],
      priority: 0,
    } as never,
  })
  await deps.db
    .insert(policies)
    .values([policy('Reader', ['read'], true), policy('Barred', ['*'], false)])
}

const past = new Date(Date.now() - 1000)

async function headersOf(credential: Credential): Promise<Record<string, string>> {
  switch (credential) {
    case 'no credential':
      return {}
    case 'key':
      return keyOf({})
    case 'key with the role ADMIN':
      return keyOfRole('ADMIN')
    case 'session':
      return sessionOf({})
    case 'session of a generated password':
      return sessionOf({ mustChangePassword: true })
    case 'session of a disabled user':
      return sessionOf({ status: 'DISABLED' })
    case 'ended session':
      return sessionOf({}, 1)
    case 'unknown key':
      return { 'x-engine-apikey': generateApiKey().key }
    case 'expired key':
      return keyOf({}, { expiresAt: past })
    case 'revoked key':
      return keyOf({}, { revokedAt: past })
    case 'key of a disabled user':
      return keyOf({ status: 'DISABLED' })
    case 'Barred':
      return keyOf({ roles: ['EDITOR', credential] })
    default:
      return (ROLES as readonly string[]).includes(credential)
        ? keyOf({ roles: [credential] })
        : keyOf({}, { scopes: [credential] })
  }
}

await testDeps() // handlers need its log
const credentials = new Map<Credential, Record<string, string>>()

beforeAll(async () => {
  await testDeps()
  await addPolicies()
  for (const credential of ALL) credentials.set(credential, await headersOf(credential))
})

/**
 * One function tells an invalid credential, before a route is asked: besides none, each route is sent another of them in
 * turn.
 */
const askedBy = (at: number) => {
  const [none, ...others] = INVALID
  const isSent: Credential[] = [none, others[at % others.length] ?? none]
  return ALL.filter((credential) => !isInvalid(credential) || isSent.includes(credential))
}

const isInvalid = (credential: Credential) => (INVALID as readonly string[]).includes(credential)

/** Declares a test of each of the routes below a path of the API that matches. */
export async function testAccess(matches: (path: string) => boolean): Promise<void> {
  const tested = (await routesOf(matches)).map((route, at) => ({ ...route, callers: askedBy(at) }))
  describe.each(tested)('$name', ({ name, handler, method, path, callers }) => {
    const [allowed, status, params] = ROWS[name] ?? [[], 0]
    test('lets in exactly the callers that it should', async () => {
      const responses: Record<string, number> = {}
      for (const credential of callers) {
        const sends = method === 'GET' || method === 'DELETE' ? undefined : {}
        const headers = credentials.get(credential)
        const response = await call(deps, handler, {
          method,
          path: encodeURI(path),
          params,
          headers,
          body: sends,
        })
        responses[credential] = response.status
      }
      const expected = callers.map((credential) => [
        credential,
        allowed.includes(credential) ? status : isInvalid(credential) ? 401 : 403,
      ])
      expect(responses).toEqual(Object.fromEntries(expected))
    })
  })
}
