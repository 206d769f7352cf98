import { type Story, tellSecurity } from '../story'

/** Routes that serve no values of records: anybody asks them for the least, and looks at what comes. */
const WHY = {
  accounts: 'people, credentials and settings: no records of entities',
  images: 'pictures of their own',
  mails: 'mails are about accounts',
  health: 'the state of the server',
  none: 'nothing is there',
}

export const PLAIN: Record<string, string> = {
  ...routes(WHY.none, ['GET /api/[[...path]]', 'POST /api/[[...path]]', 'PUT /api/[[...path]]']),
  ...routes(WHY.none, ['PATCH /api/[[...path]]', 'DELETE /api/[[...path]]']),
  ...routes(WHY.health, ['GET /api/health', 'GET /api/health/ready', 'GET /api/metrics']),
  ...routes(WHY.mails, ['GET /api/mails', 'GET /api/mails/[id]', 'POST /api/mails/[id]/retry']),
  ...routes(WHY.mails, ['POST /api/settings/test-mail', 'POST /api/webhooks/resend']),
  ...routes(WHY.images, [
    'GET /api/images',
    'GET /api/images/facets',
    'POST /api/images/search',
    'GET /api/images/[fileId]',
    'PATCH /api/images/[fileId]',
    'DELETE /api/images/[fileId]',
    'GET /api/images/[fileId]/uses',
    'PATCH /api/images/batch',
    'GET /api/images/files/[...path]',
    'POST /api/images/upload',
    'POST /api/images/upload-from-address',
  ]),
  ...routes(WHY.accounts, [
    'GET /api/api-keys',
    'POST /api/api-keys',
    'GET /api/api-keys/[id]',
    'DELETE /api/api-keys/[id]',
    'POST /api/api-keys/[id]/rotate',
    'GET /api/auth/[...nextauth]',
    'POST /api/auth/[...nextauth]',
    'POST /api/auth/activate-account',
    'POST /api/auth/forget-password',
    'GET /api/auth/oidc/[provider]',
    'GET /api/auth/oidc/[provider]/logout',
    'POST /api/auth/oidc/[provider]/logout',
    'POST /api/auth/passkey',
    'POST /api/auth/register',
    'POST /api/auth/register/confirm',
    'POST /api/auth/reset-password',
    'POST /api/auth/restore',
    'POST /api/auth/setup',
    'GET /api/backup',
    'POST /api/settings/providers/[provider]/test',
    'GET /api/server',
    'GET /api/server/checks',
    'GET /api/server/retention',
    'GET /api/servers',
    'POST /api/servers',
    'PATCH /api/servers/[id]',
    'DELETE /api/servers/[id]',
    'POST /api/servers/[id]/test',
    'POST /api/servers/[id]/plan',
    'POST /api/servers/[id]/promote',
    'GET /api/promotions',
    'GET /api/promotions/[id]',
    'POST /api/promotions/[id]/undo',
    'GET /api/publishers',
    'POST /api/publishers',
    'DELETE /api/publishers/[id]',
    'GET /api/scim-token',
    'POST /api/scim-token',
    'DELETE /api/scim-token',
    'GET /api/scim/v2/Users',
    'POST /api/scim/v2/Users',
    'GET /api/scim/v2/Users/[id]',
    'PUT /api/scim/v2/Users/[id]',
    'PATCH /api/scim/v2/Users/[id]',
    'DELETE /api/scim/v2/Users/[id]',
    'GET /api/scim/v2/Groups',
    'POST /api/scim/v2/Groups',
    'GET /api/scim/v2/Groups/[id]',
    'PUT /api/scim/v2/Groups/[id]',
    'PATCH /api/scim/v2/Groups/[id]',
    'DELETE /api/scim/v2/Groups/[id]',
    'GET /api/scim/v2/ResourceTypes',
    'GET /api/scim/v2/ResourceTypes/[id]',
    'GET /api/scim/v2/Schemas',
    'GET /api/scim/v2/Schemas/[id]',
    'GET /api/scim/v2/ServiceProviderConfig',
    'GET /api/scim/v2/[[...path]]',
    'POST /api/scim/v2/[[...path]]',
    'PUT /api/scim/v2/[[...path]]',
    'PATCH /api/scim/v2/[[...path]]',
    'DELETE /api/scim/v2/[[...path]]',
    'GET /api/settings/second-factor',
    'PUT /api/settings/second-factor',
    'POST /api/users/init',
    'GET /api/users/[userId]',
    'PATCH /api/users/[userId]',
    'DELETE /api/users/[userId]',
    'POST /api/entities/[entityName]/erasure',
    'POST /api/users/[userId]/erasure',
    'GET /api/users/[userId]/export',
    'GET /api/users/[userId]/identities',
    'DELETE /api/users/[userId]/identities/[identityId]',
    'POST /api/users/[userId]/activation-email',
    'DELETE /api/users/[userId]/sessions',
    'DELETE /api/users/[userId]/second-factors',
    'GET /api/users',
    'GET /api/users/me',
    'PUT /api/users/me/password',
    'GET /api/users/me/sessions',
    'DELETE /api/users/me/sessions',
    'DELETE /api/users/me/sessions/[sessionId]',
    'GET /api/users/me/second-factors',
    'POST /api/users/me/second-factors/confirmation',
    'POST /api/users/me/second-factors/passkeys',
    'POST /api/users/me/second-factors/passkeys/options',
    'PATCH /api/users/me/second-factors/passkeys/[passkeyId]',
    'DELETE /api/users/me/second-factors/passkeys/[passkeyId]',
    'POST /api/users/me/second-factors/recovery-codes',
    'POST /api/users/me/second-factors/totp',
    'DELETE /api/users/me/second-factors/totp',
    'POST /api/users/me/second-factors/totp/confirm',
  ]),
}

function routes(why: string, names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, why]))
}

/** With an empty body, and ids of nothing. */
export const plainRequest: Story = async function* (scene) {
  const [method = '', route = ''] = scene.random.pick(Object.keys(PLAIN)).split(' ')
  const path = route.replace(/\[+\.*\w+\]+/g, '00000000-0000-4000-8000-0000000000ff')
  tellSecurity(scene)
  const answer = yield { method, path, ...(method === 'GET' ? {} : { body: {} }) }
  const isAway = answer.status === 503 || (answer.status >= 500 && route.includes('nextauth'))
  if (answer.status >= 500 && !isAway) scene.fault(`status ${answer.status}`)
}

/** Lists of the console that are about the caller. */
export const ownLists: Story = async function* (scene) {
  const path = scene.random.pick(['/api/tasks', '/api/imports', '/api/exports'])
  const answer = yield { method: 'GET', path }
  if (answer.status !== 200) scene.fault(`status ${answer.status}`)
}

/** Of administrators, or of keys with a scope for it. */
export const advice: Story = async function* (scene) {
  const entity = scene.random.pick(['Order', 'Branch'])
  const path = scene.random.pick([
    ['GET', `/api/entities/${entity}/advice`],
    ['GET', `/api/entities/${entity}/distribution`],
    ['POST', `/api/entities/${entity}/indexes`],
    ['DELETE', `/api/entities/${entity}/indexes/none`],
  ] as const)
  const [method, address] = path
  const answer = yield { method, path: address, ...(method === 'POST' ? { body: {} } : {}) }
  if (answer.status >= 500) scene.fault(`status ${answer.status}`)
}
