import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  create as createBook,
  deps,
} from '@/app/api/entities/[entityName]/changes/testing/followed'
import { webhooks } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import { receiver } from './testing/receiver'
import { allow, change, log, made, read, scopedKey, startSending } from './testing/webhooks-api'

test('a webhook stops once whom it acts for may no longer manage webhooks, and what waits is not sent', async () => {
  const to = await receiver()
  allow([to.host])
  const { id } = await made(to.url)
  startSending()
  await createBook({ id: 1 })
  await expect.poll(to.keys).toEqual(['record.created 1'])
  await deps.db.execute(
    sql`update engine.users set roles = array['EDITOR'] where 'ADMIN' = any(roles)`,
  )
  await createBook({ id: 2 })
  const state = sql`select stopped from engine.webhooks where id = ${id}`
  const stopped = async () => JSON.stringify(await deps.db.execute(state))
  await expect.poll(stopped).toContain('unauthorised')
  expect(to.keys()).toEqual(['record.created 1'])
})

test('a change is judged again when it is sent: one that may no longer be seen is withheld', async () => {
  const to = await receiver()
  allow([to.host])
  const key = await scopedKey('webhooks:manage', 'Book:read')
  const { id } = await made(to.url, {}, key)
  to.state.answer = (response) => response.writeHead(500, { 'retry-after': '60' }).end()
  startSending()
  await createBook({ id: 1, title: 'secret' })
  await expect.poll(async () => (await read(id)).failures).toBe(1)
  await deps.db.execute(
    sql`update engine.api_keys set scopes = array['webhooks:manage'] where scopes is not null`,
  )
  await deps.db.execute(sql`update engine.webhook_deliveries set next_attempt_at = now()`)
  await change(id, { enabled: true })
  await expect.poll(async () => (await log(id)).body.data[0].status).toBe('withheld')
  expect(to.received).toHaveLength(1)
})

test('who changes what is sent, or where, is whom it acts for; a name and a pause leave that', async () => {
  const { id } = await made('https://1.1.1.1/')
  const key = await scopedKey('webhooks:manage', 'Book:read')
  const keyOf = async () => one(await deps.db.select().from(webhooks)).keyId
  await change(id, { name: 'other', enabled: false }, key)
  expect(await keyOf()).toBeNull()
  expect((await change(id, { url: 'https://1.0.0.1/' }, key)).status).toBe(200)
  expect(await keyOf()).not.toBeNull()
  const narrow = await scopedKey('webhooks:manage')
  expect((await change(id, { url: 'https://1.1.1.1/' }, narrow)).status).toBe(403)
})

test('the log shows records to those alone who may read all of the entity', async () => {
  const to = await receiver((response, { body }) => response.end(body))
  allow([to.host])
  const { id } = await made(to.url)
  startSending()
  await createBook({ id: 7700077, title: 'secret' })
  await expect.poll(async () => (await log(id, 'status=delivered')).body.data.length).toBe(1)
  expect((await log(id)).text).toContain('secret')
  const narrow = await scopedKey('webhooks:manage')
  const { body, text } = await log(id, '', narrow)
  expect(body.data[0]).toMatchObject({ key: null, request: null, response: null })
  expect(text).not.toMatch(/secret|7700077/)
  expect((await log(id, 'entity=Book&key=7700077', narrow)).status).toBe(403)
  expect((await log(id, 'key=7700077')).status).toBe(400)
  expect((await log(id, 'entity=Book&key=7700077')).body.data).toHaveLength(1)
})
