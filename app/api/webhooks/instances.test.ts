import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  change as changeBook,
  changesAfter,
  create as createBook,
  cursorOfNow,
  deps,
} from '@/app/api/entities/[entityName]/changes/testing/followed'
import { beginStopping } from '@/lib/stopping'
import { installTestEntity } from '@/lib/testing/entity'
import { nextDueInMs } from '@/lib/webhooks/delivery-store'
import { queueChanges } from '@/lib/webhooks/queue-changes'
import { runningWebhooks } from '@/lib/webhooks/store'
import { webhookDelivery } from '@/lib/webhooks/webhook-delivery'
import { receiver, status } from './testing/receiver'
import { allow, change, claimDue, log, made, startSending } from './testing/webhooks-api'

const queueAll = async () => {
  for (const webhook of await runningWebhooks(deps.db)) await queueChanges(deps, webhook)
}

test('several instances send each change once, in order for each record', async () => {
  const to = await receiver()
  allow([to.host])
  await made(to.url)
  for (let instance = 0; instance < 3; instance++) startSending()
  for (let book = 1; book <= 5; book++) await createBook({ id: book, title: '0' })
  for (let turn = 1; turn <= 4; turn++)
    for (let book = 1; book <= 5; book++) await changeBook(String(book), { title: String(turn) })
  await expect.poll(() => to.received.length).toBe(25)
  expect(new Set(to.received.map(({ headers }) => headers['webhook-id'])).size).toBe(25)
  for (let book = 1; book <= 5; book++) {
    const own = to.received.filter(({ json }) => json.data.key === String(book))
    const titles = own.map(({ json }) => json.data.after?.title)
    expect(titles).toEqual(['0', '1', '2', '3', '4'])
  }
})

test('two instances that read the log at once queue each change once', async () => {
  const { id } = await made('https://1.1.1.1/')
  const now = await cursorOfNow()
  for (const book of [1, 2, 3]) await createBook({ id: book })
  // What an older transaction of the database server still hides would be queued later.
  expect(await changesAfter(now)).toHaveLength(3)
  const webhooks = await runningWebhooks(deps.db)
  const taken = []
  for (const webhook of [...webhooks, ...webhooks])
    taken.push((await queueChanges(deps, webhook)).isTaken)
  expect(taken).toEqual([false, true])
  expect((await log(id)).body.data).toHaveLength(3)
})

test('what an instance that died had in flight is taken over with the same webhook-id once its claim ends', async () => {
  const to = await receiver()
  allow([to.host])
  const { id } = await made(to.url)
  await createBook({ id: 1 })
  await createBook({ id: 2 })
  await queueAll()
  const [dead] = await claimDue(id, 1)
  startSending()
  await expect.poll(to.keys).toEqual(['record.created 2'])
  await deps.db.execute(
    sql`update engine.webhook_deliveries set claimed_until = now() where status = 'sending'`,
  )
  await change(id, { enabled: true })
  await expect.poll(to.keys).toEqual(['record.created 2', 'record.created 1'])
  expect(to.received[1]?.headers['webhook-id']).toBe(dead?.id)
})

test('an attempt whose instance died does not make the next pause longer', async () => {
  const to = await receiver()
  to.state.answer = status(500)
  allow([to.host])
  const { id } = await made(to.url)
  await createBook({ id: 1 })
  await queueAll()
  await claimDue(id, 1)
  await deps.db.execute(sql`update engine.webhook_deliveries set claimed_until = now()`)
  startSending()
  const last = async () => (await log(id)).body.data[0]
  await expect.poll(async () => (await last()).tries.length).toBe(1)
  const { attempts, nextAttemptAt, tries } = await last()
  expect(attempts).toBe(2)
  expect(Date.parse(nextAttemptAt) - Date.parse(tries[0].at)).toBeLessThan(60_000)
})

test('a change that waits keeps later ones of its record, and no others', async () => {
  const { id } = await made('https://1.1.1.1/')
  await createBook({ id: 1 })
  await changeBook('1', { title: 'B' })
  await createBook({ id: 2 })
  await queueAll()
  const claimed = await claimDue(id, 10)
  expect(claimed.map(({ key, action }) => `${action} ${key}`)).toEqual(['created 1', 'created 2'])
  expect(await claimDue(id, 10)).toEqual([])
})

test('of thousands that wait for earlier ones, the first of each record are found at once', async () => {
  const { id } = await made('https://1.1.1.1/')
  await deps.db.execute(sql`
    insert into engine.webhook_deliveries (webhook_id, entity, xid, event_id, key, action)
    select ${id}, 'Book', '1', n, n % 100, 'updated' from generate_series(1, 10000) as n`)
  const from = performance.now()
  const claimed = await claimDue(id, 4)
  expect(claimed.map(({ key }) => key)).toEqual(['1', '2', '3', '4'])
  expect(await nextDueInMs(deps.db, [])).toBe(0)
  expect(performance.now() - from).toBeLessThan(2_000)
})

test('a record whose key is as long as one can be keeps no other from being sent', async () => {
  const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
  await installTestEntity(deps, { entity: { name: 'Tag', events: true, pks } })
  const to = await receiver()
  allow([to.host])
  await made(to.url, { entities: ['Tag'] })
  const code = randomBytes(2_010).toString('base64')
  startSending()
  await deps.db.execute(sql`insert into entities.tag (code) values (${code}), ('short')`)
  await expect
    .poll(() => to.keys().sort())
    .toEqual([`record.created ${code}`, 'record.created short'].sort())
})

test('a webhook that can not be read for now keeps no other from its changes', async () => {
  // The embedded database has one connection: nothing waits beside others.
  if (deps.dialect === 'pglite') return
  const to = await receiver()
  allow([to.host])
  const ids = [(await made(to.url)).id, (await made(to.url)).id].sort()
  const warnings: unknown[] = []
  deps.log = Object.create(deps.log, { warn: { value: (facts: unknown) => warnings.push(facts) } })
  await createBook({ id: 1 })
  await deps.db.transaction(async (tx) => {
    await tx.execute(sql`select from engine.webhooks where id = ${ids[0]} for update`)
    startSending()
    await expect.poll(to.keys).toEqual(['record.created 1'])
    expect(warnings).toEqual([])
  })
})

test('an instance that could not listen at its start sends after the next round', async () => {
  const to = await receiver()
  allow([to.host])
  await made(to.url)
  await createBook({ id: 1 })
  const warned: unknown[] = []
  const log = Object.create(deps.log, { warn: { value: (facts: unknown) => warned.push(facts) } })
  const subscribe = () => Promise.reject(new Error('connection refused'))
  const bus = Object.create(deps.bus, { subscribe: { value: subscribe } })
  const [send] = webhookDelivery.adds?.jobs ?? []
  await send?.run({ ...deps, log, bus })
  await expect.poll(() => warned).toEqual([{ error: 'connection refused' }])
  await send?.run(deps)
  await expect.poll(to.keys).toEqual(['record.created 1'])
  beginStopping()
  await webhookDelivery.adds?.beforeClose?.[0]?.(deps)
})
