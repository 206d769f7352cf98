import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as keys from '@/app/api/api-keys/route'
import { tablesOf } from '@/app/api/testing/every-byte'
import * as webhooks from '@/app/api/webhooks/route'
import { actorOfUser } from '@/lib/auth/load-actor'
import { auditLog, users } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import { erasePerson } from '@/lib/erasure/erase-person'
import { testKeyOfRoles } from '@/lib/testing/request'
import { addUser, confirm, deps, signedIn } from '../../me/testing/second-factor'
import * as user from '../route'
import * as route from './route'
import { admin, by, EMAIL, erase, id } from './testing/person'

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
  expect(await erase(id, { confirm: EMAIL }, '', roles)).toMatchObject({
    status: 409,
    body: { error: expect.stringContaining('last administrator') },
  })
})

test('the audit log stays append-only otherwise', async () => {
  await erase()
  const change = deps.db.update(auditLog).set({ actorName: 'x' })
  await expect(change).rejects.toThrow()
})
