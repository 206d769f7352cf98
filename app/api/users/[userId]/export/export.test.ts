import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as views from '@/app/api/views/route'
import { auditLog, sessions, users } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import { call, testKey } from '@/lib/testing/request'
import {
  ANN,
  addTotp,
  addUser,
  confirm,
  deps,
  send,
  signedIn,
} from '../../me/testing/second-factor'
import { GET } from './route'

const exported = async (userId: string, headers: Record<string, string>) =>
  call(deps, GET, { path: `/api/users/${userId}/export`, params: { userId }, headers })

test('holds what is stored of a person, and no secret', async () => {
  await addUser(ANN, { profile: { pet: 'Rex' } })
  const ann = one(await deps.db.select().from(users).where(eq(users.email, ANN)))
  const browser = await signedIn()
  const { secret, recoveryCodes } = await addTotp(browser)
  await send(browser, views.POST, 'POST', { entity: 'Book', name: 'Mine', params: 'x=1' })
  const headers = { authorization: `Bearer ${await testKey(deps, ['ADMIN'])}` }
  const { status, text, body, headers: sent } = await exported(ann.id, headers)
  expect(status).toBe(200)
  expect(sent.get('content-disposition')).toContain(`person-${ann.id}.json`)
  expect(body).toMatchObject({
    account: [{ email: ANN, profile: { pet: 'Rex' } }],
    views: [{ entity: 'Book', name: 'Mine' }],
    authenticatorApps: [{}],
  })
  const actions = body.audit.map(({ action }: { action: string }) => action)
  expect(actions).toEqual(
    expect.arrayContaining(['users.sign-in', 'users.add-totp', 'views.create']),
  )
  const open = await deps.db.select().from(sessions)
  for (const hidden of [
    ann.passwordHash,
    secret,
    ...recoveryCodes,
    ...open.map((session) => session.id),
  ])
    expect(text).not.toContain(hidden)
  const [entry] = await deps.db.select().from(auditLog).where(eq(auditLog.action, 'users.export'))
  expect(entry).toMatchObject({ objectId: ann.id })
})

test('asks a session to confirm first, and knows nothing of others', async () => {
  await addUser()
  const browser = await signedIn()
  await addUser('other@example.com', { roles: ['VIEWER'] })
  const [other] = await deps.db.select().from(users).where(eq(users.email, 'other@example.com'))
  const ask = (userId = other?.id ?? '') =>
    browser.call(GET, { path: '/api/users/x/export', params: { userId } })
  expect(await ask()).toMatchObject({ status: 403, body: { meta: { confirmation: 'required' } } })
  await confirm(browser)
  expect((await ask()).status).toBe(200)
  expect((await ask(crypto.randomUUID())).status).toBe(404)
})
