import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
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
import { auditLog, externalIdentities, scimUsers } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { Authenticator } from '@/lib/testing/authenticator'
import { Browser } from '@/lib/testing/browser'
import { testsOnCitus } from '@/lib/testing/deps'
import { readInbox } from '@/lib/testing/inbox'
import * as passkeyOptions from '../../me/second-factors/passkeys/options/route'
import * as passkeys from '../../me/second-factors/passkeys/route'
import { addUser, confirm, deps, PASSWORD, send, signedIn } from '../../me/testing/second-factor'
import * as user from '../route'
import { admin, asked, BOOK, by, EMAIL, erase, id } from './testing/person'

/** Each is somewhere where a person can leave it. */
const FORMER = 'tanglewood@zephyr.example'
const TOKENS = ['quillmark', 'tanglewood', 'Vexlprofil', 'Murkelkey', 'Trommelpass', 'Knabberfile']
const ADDRESS = '198.51.100.77'
const AGENT = 'Wobbelagent/1.0'

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
