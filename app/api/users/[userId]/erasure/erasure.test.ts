import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import * as keys from '@/app/api/api-keys/route'
import * as forget from '@/app/api/auth/forget-password/route'
import * as comments from '@/app/api/entities/[entityName]/[id]/comments/route'
import * as record from '@/app/api/entities/[entityName]/[id]/route'
import * as batch from '@/app/api/entities/[entityName]/batch/route'
import * as exports from '@/app/api/entities/[entityName]/exports/route'
import * as imports from '@/app/api/entities/[entityName]/import/route'
import * as entity from '@/app/api/entities/[entityName]/route'
import { placesOf, tablesOf } from '@/app/api/testing/every-byte'
import * as views from '@/app/api/views/route'
import * as webhooks from '@/app/api/webhooks/route'
import { actorOfUser } from '@/lib/auth/load-actor'
import { auditLog, externalIdentities, scimUsers, users } from '@/lib/db/schema'
import { one, rows } from '@/lib/db/sql'
import { erasePerson } from '@/lib/erasure/erase-person'
import type { Handler } from '@/lib/http/route'
import { Authenticator } from '@/lib/testing/authenticator'
import { Browser } from '@/lib/testing/browser'
import { testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { readInbox } from '@/lib/testing/inbox'
import { call, testKey, testKeyOfRoles } from '@/lib/testing/request'
import * as passkeyOptions from '../../me/second-factors/passkeys/options/route'
import * as passkeys from '../../me/second-factors/passkeys/route'
import { addUser, confirm, deps, PASSWORD, send, signedIn } from '../../me/testing/second-factor'
import * as user from '../route'
import * as route from './route'

/** Each is somewhere where a person can leave it. */
const EMAIL = 'Quillmark@Zephyr.example'
const FORMER = 'tanglewood@zephyr.example'
const TOKENS = ['quillmark', 'tanglewood', 'Vexlprofil', 'Murkelkey', 'Trommelpass', 'Knabberfile']
const ADDRESS = '198.51.100.77'
const AGENT = 'Wobbelagent/1.0'

let id: string
let admin: Record<string, string>

beforeEach(async () => {
  await addUser(EMAIL, { profile: { name: { first: 'Vexlprofil' } }, roles: ['ADMIN'] })
  id = one(await deps.db.select().from(users).where(eq(users.email, EMAIL))).id
  admin = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  const properties = [{ name: 'title', type: 'string' }]
  await installTestEntity(deps, {
    entity: { name: 'Book', auditable: true, history: true, events: true },
    schema: { properties },
  })
})

type Sent = { body?: unknown; params?: Record<string, string>; query?: string }
const asked = (handler: Handler, method: string, { query = '', ...sent }: Sent) => ({
  handler,
  request: { method, path: `/api/x?${query}`, ...sent },
})
const by = async (headers: Record<string, string>, ...of: Parameters<typeof asked>) => {
  const { handler, request } = asked(...of)
  const response = await call(deps, handler, { ...request, headers })
  expect(response.status, response.text).toBeLessThan(300)
  return response.body
}

const erase = (userId = id, body: object = { confirm: EMAIL }, query = '') =>
  call(deps, route.POST, {
    ...{ method: 'POST', path: `/api/users/${userId}/erasure?${query}`, body, headers: admin },
    params: { userId },
  })

const BOOK = { entityName: 'Book' }

/** What a person can do, by a browser and by a key; and what others do with them. */
async function leaveTraces(): Promise<Browser> {
  const browser = new Browser(deps, { address: ADDRESS, headers: { 'user-agent': AGENT } })
  expect((await browser.signIn(EMAIL, 'wrong password')).status).toBe(401)
  expect((await browser.signIn(EMAIL, PASSWORD)).status).toBe(200)
  const act = async (...of: Parameters<typeof asked>) => {
    const { handler, request } = asked(...of)
    const response = await browser.call(handler, request)
    expect(response.status, response.text).toBeLessThan(300)
    return response.body
  }
  await confirm(browser)
  const challenge = (await send(browser, passkeyOptions.POST, 'POST')).body.data[0]
  const response = new Authenticator('http://localhost:3000').create(challenge, {})
  await act(passkeys.POST, 'POST', {
    body: { challengeId: challenge.challengeId, name: 'Trommelpass', response },
  })
  const made = await act(keys.POST, 'POST', { body: { name: 'Murkelkey' } })
  const key = { authorization: `Bearer ${made.data[0].apiKey}` }
  const params = `filter=${encodeURIComponent(JSON.stringify([EMAIL]))}`
  await act(views.POST, 'POST', { body: { entity: 'Book', name: 'Vexlprofil', params } })
  for (const title of ['One', 'Two', 'Three'])
    await act(entity.POST, 'POST', { body: { title }, params: BOOK })
  await by(key, record.PATCH, 'PATCH', { body: { title: 'Zwei' }, params: { ...BOOK, id: '2' } })
  await by(key, entity.POST, 'POST', { body: { title: 'Four' }, params: BOOK })
  const one = [{ field: 'title', operator: 'eq', value: 'One' }]
  await act(batch.DELETE, 'DELETE', {
    body: { entity: 'Book', query: one },
    params: BOOK,
    query: 'undo=7d',
  })
  await act(exports.POST, 'POST', { body: {}, params: BOOK, query: 'format=csv' })
  const form = new FormData()
  form.set('file', new File(['title\nFive\n'], 'Knabberfile.csv', { type: 'text/csv' }))
  await act(imports.POST, 'POST', { body: form, params: BOOK, query: 'mode=create' })
  const remark = { ...BOOK, id: '2' }
  await act(comments.POST, 'POST', { body: { text: 'Mine' }, params: remark })
  await addUser('other@example.com')
  const other = await signedIn('other@example.com')
  await send(other, comments.POST, 'POST', { text: `See:\n@${EMAIL}, please` }, remark)
  await act(comments.POST, 'POST', { body: { text: 'Hi @other@example.com' }, params: remark })
  await by(admin, exports.POST, 'POST', {
    body: {},
    params: { entityName: 'EngineUsers' },
    query: 'format=csv',
  })
  const hook = { name: 'Hook', url: 'https://hooks.example.com/x', entities: ['Book'] }
  await act(webhooks.POST, 'POST', { body: hook })
  await by({}, forget.POST, 'POST', { body: { email: EMAIL } })
  await deps.db.insert(externalIdentities).values({
    ...{ userId: id, provider: 'okta', issuer: 'https://o.example', subject: 'Vexlprofil' },
    email: FORMER,
  })
  const attributes = { name: { familyName: 'Vexlprofil' } }
  await deps.db.insert(scimUsers).values({ userId: id, attributes, profileKeys: [] })
  await deps.db.insert(auditLog).values({
    ...{ actorType: 'system', action: 'users.update', objectType: 'user', objectId: id },
    details: { before: { email: FORMER }, after: { email: EMAIL } },
  })
  return browser
}

test('an erased person is in no table, no file and no backup made afterwards', async () => {
  const browser = await leaveTraces()
  const searched = [...TOKENS, ADDRESS, AGENT, id]
  const before = await placesOf(deps, searched)
  for (const token of searched)
    expect(before.join('\n').toLowerCase()).toContain(token.toLowerCase())
  const saved = before.filter((place) => place.startsWith('backup'))
  if (!testsOnCitus()) expect(saved.length).toBeGreaterThan(5)

  const tried = await erase(id, {}, 'dryRun=true')
  expect(tried.body.data[0]).toMatchObject({ dryRun: true, pseudonym: null })
  expect(await tablesOf(deps, searched)).toEqual(
    before.filter((place) => place.startsWith('engine.') || place.startsWith('entities.')),
  )
  const { status, body } = await erase()
  expect(status).toBe(200)
  const [report] = body.data
  expect(report.parts).toEqual(tried.body.data[0].parts)
  expect(report.pseudonym).toMatch(/^erased-[0-9a-f]{8}$/)
  expect(await placesOf(deps, searched)).toEqual([])
  expect(report.remaining).toEqual([])

  const stored = await rows<{ by: string }>(
    deps.db,
    sql`select distinct "LastUpdatedBy" as by from entities.book`,
  )
  expect(stored).toEqual([{ by: report.pseudonym }])
  const inbox = await readInbox(deps)
  expect(inbox.map(({ to }) => to)).toEqual(['other@example.com'])
  expect(inbox[0]?.text).toContain(report.pseudonym)
  expect(inbox[0]?.text).not.toMatch(/quillmark/i)
  const refused = await browser.call(user.GET, { path: `/api/users/${id}`, params: { userId: id } })
  expect(refused.status).toBe(401)
  expect((await erase()).status).toBe(404)
})

test('of two at once, one erases', async () => {
  const statuses = (await Promise.all([erase(), erase()])).map(({ status }) => status).sort()
  // The second waits for a lock, five seconds at most.
  expect([
    [200, 404],
    [200, 503],
  ]).toContainEqual(statuses)
})

test('an account that was deleted before is erased by its id', async () => {
  await by(admin, user.DELETE, 'DELETE', { params: { userId: id } })
  expect(await tablesOf(deps, ['quillmark'])).not.toEqual([])
  expect((await erase()).status).toBe(200)
  expect(await tablesOf(deps, ['quillmark', id])).toEqual([])
})

test('similar emails of others stay, and what people wrote into records is counted', async () => {
  const similar = `not.${EMAIL}`
  await addUser(similar)
  const title = `From ${EMAIL}`
  await by(admin, entity.POST, 'POST', { body: { title }, params: BOOK })
  const { body } = await erase()
  expect(body.data[0].remaining).toEqual(
    expect.arrayContaining([{ table: 'entities.book', rows: 1 }]),
  )
  expect(await deps.db.$count(users, eq(users.email, similar))).toBe(1)
})

test('what others have stays as it is: emails with more before, names like those of keys, members of details', async () => {
  const others = [`o'${EMAIL}`, `joe+${EMAIL}`]
  for (const email of [...others, 'bob@example.com']) await addUser(email, { roles: ['ADMIN'] })
  const sent = `to=joe%2B${encodeURIComponent(EMAIL)}`
  const entry = {
    actorType: 'system',
    action: 'x',
    objectType: 'thing',
    details: { sent },
  } as const
  await deps.db.insert(auditLog).values(entry)
  const [browser, bob] = [await signedIn(EMAIL), await signedIn('bob@example.com')]
  await confirm(browser)
  for (const name of ['bob@example.com', 'before', 'Draft'])
    expect(await send(browser, keys.POST, 'POST', { name })).toMatchObject({ status: 201 })
  await send(bob, entity.POST, 'POST', { title: 'One' }, BOOK)
  await send(browser, entity.POST, 'POST', { title: 'Two' }, BOOK)
  await send(browser, record.PATCH, 'PATCH', { title: 'Three' }, { ...BOOK, id: '2' })

  expect((await erase()).status).toBe(200)
  for (const email of others) expect(await deps.db.$count(users, eq(users.email, email))).toBe(1)
  expect(await deps.db.$count(auditLog, sql`details ->> 'sent' = ${sent}`)).toBe(1)
  const changed = sql`details -> 'changed' -> 'title' ->> 'before' = 'Two'`
  expect(await deps.db.$count(auditLog, changed)).toBe(1)
  const signed = sql`select "CreatedBy" as by from entities.book where id = 1`
  expect(await rows(deps.db, signed)).toEqual([{ by: 'bob@example.com' }])
})

test('an apostrophe is found as addresses and HTML have it, and a longer email with one stays', async () => {
  const email = "q'uillmark@zephyr.example"
  await deps.db.update(users).set({ email }).where(eq(users.id, id))
  const own = [
    encodeURIComponent(email),
    'q%27uillmark%40zephyr.example',
    'q&#39;uillmark@zephyr.example',
  ]
  const others = [`o%27${encodeURIComponent(email)}`, `o&#39;${own[2]}`]
  await deps.db.insert(auditLog).values({
    ...{ actorType: 'system', action: 'x', objectType: 'thing' },
    details: { own, others },
  })
  expect((await erase(id, { confirm: email })).status).toBe(200)
  const [kept] = await deps.db.select().from(auditLog).where(eq(auditLog.action, 'x'))
  expect(kept?.details).toMatchObject({ others })
  expect(JSON.stringify(kept?.details).match(/erased-/g)).toHaveLength(own.length)
})

test('a field that is called as signatures are, of an entity without them, stays in copies as in records', async () => {
  const properties = [{ name: 'CreatedBy', type: 'string' }]
  await installTestEntity(deps, {
    entity: { name: 'Painting', history: true },
    schema: { properties },
  })
  const params = { entityName: 'Painting' }
  await by(admin, entity.POST, 'POST', { body: { CreatedBy: EMAIL }, params })
  await by(admin, record.PATCH, 'PATCH', {
    body: { CreatedBy: 'x' },
    params: { ...params, id: '1' },
  })
  expect((await erase()).body.data[0].remaining).toEqual([
    { table: 'engine.record_versions', rows: 1 },
  ])
})

test('who is erased while their own erasure of another waits is refused, and comes back nowhere', async () => {
  const email = 'other@example.com'
  await addUser(email)
  const other = one(await deps.db.select().from(users).where(eq(users.email, email)))
  const known = await actorOfUser(deps.db, id, null)
  if (!known) throw new Error('No actor')
  const caller = { actor: known, requestId: 'x', client: undefined }
  expect((await erase()).status).toBe(200)
  const input = { userId: other.id, confirm: email, dryRun: false }
  await expect(erasePerson(deps, input, caller)).rejects.toThrow('no longer active')
  expect(await tablesOf(deps, [id, 'quillmark'])).toEqual([])
})

test('what takes longer than ERASURE_TIMEOUT_MS is stopped, and nothing is erased', async () => {
  const { settings } = deps
  deps.settings = { ...settings, ERASURE_TIMEOUT_MS: 1 }
  try {
    for (const query of ['dryRun=true', ''])
      expect(await erase(id, { confirm: EMAIL }, query)).toMatchObject({
        status: 503,
        body: { error: expect.stringContaining('ERASURE_TIMEOUT_MS') },
      })
  } finally {
    deps.settings = settings
  }
  expect(await deps.db.$count(users, eq(users.id, id))).toBe(1)
})

test('takes ids of people alone, in any case', async () => {
  const hook = { name: 'Hook', url: 'https://hooks.example.com/x', entities: ['Book'] }
  const [made] = (await by(admin, webhooks.POST, 'POST', { body: hook })).data
  const [key] = (await by(admin, keys.POST, 'POST', { body: { name: 'Sync' } })).data
  for (const other of [made.id, key.id]) expect((await erase(other, {})).status).toBe(404)
  await by(admin, user.PATCH, 'PATCH', {
    params: { userId: id.toUpperCase() },
    body: { profile: { town: 'Rome' } },
  })
  expect((await erase(id.toUpperCase())).status).toBe(200)
  expect(await tablesOf(deps, [id, 'quillmark'])).toEqual([])
})

test('is refused without the email, by oneself, and for the last administrator', async () => {
  expect(await erase(id, {})).toMatchObject({ status: 400 })
  expect(await erase(id, { confirm: 'x@example.com' })).toMatchObject({ status: 400 })
  const browser = await signedIn(EMAIL)
  const request = { method: 'POST', path: '/api/users/x/erasure', params: { userId: id } }
  const self = await browser.call(route.POST, { ...request, body: { confirm: EMAIL } })
  expect(self).toMatchObject({ status: 403, body: { meta: { confirmation: 'required' } } })
  await confirm(browser)
  for (const userId of [id, id.toUpperCase()]) {
    const own = { ...request, params: { userId }, body: { confirm: EMAIL } }
    expect(await browser.call(route.POST, own)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('yourself') },
    })
  }
  const roles = { authorization: `Bearer ${await testKeyOfRoles(deps, ['ADMIN'])}` }
  await deps.db.update(users).set({ status: 'DISABLED' }).where(sql`id <> ${id}`)
  admin = roles
  expect(await erase()).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('last administrator') },
  })
})

test('the audit log stays append-only otherwise', async () => {
  await erase()
  const change = deps.db.update(auditLog).set({ actorName: 'x' })
  await expect(change).rejects.toThrow()
})
