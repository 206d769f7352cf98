import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as keys from '@/app/api/api-keys/route'
import * as record from '@/app/api/entities/[entityName]/[id]/route'
import * as entity from '@/app/api/entities/[entityName]/route'
import { auditLog, users } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { installTestEntity } from '@/lib/testing/entity'
import { addUser, confirm, deps, send, signedIn } from '../../me/testing/second-factor'
import { admin, BOOK, by, EMAIL, erase, id } from './testing/person'

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
