import { sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import {
  change as changeBook,
  create as createBook,
  deps,
  remove as removeBook,
} from '@/app/api/entities/[entityName]/changes/testing/followed'
import { type Received, receiver, status } from './testing/receiver'
import {
  again,
  allAgain,
  allow,
  log,
  made,
  rotateSecret,
  sendTest,
  startSending,
} from './testing/webhooks-api'

const logOf = async (id: string, query = '') => (await log(id, query)).body.data

describe('a receiver', () => {
  test('gets each change, signed, and the log has what was sent and answered', async () => {
    const to = await receiver(status(200, {}, 'thanks'))
    allow([to.host])
    const { id, secret } = await made(to.url)
    startSending()
    await createBook({ id: 1, title: 'A', price: '12345678901234567890.10' })
    await changeBook('1', { title: 'B' })
    await removeBook('1')
    await expect.poll(to.keys).toEqual(['record.created 1', 'record.updated 1', 'record.deleted 1'])
    const [created, updated] = to.received
    expect(created?.body).toContain('12345678901234567890.10')
    expect(updated?.json.data).toMatchObject({
      ...{ entity: 'Book', key: '1', action: 'updated', fields: ['title'] },
      ...{ before: { title: 'A' }, after: { title: 'B' }, actor: { type: 'api_key' } },
      cause: { action: 'records.update' },
    })
    for (const { body, headers } of to.received) new Webhook(secret).verify(body, headers)
    await expect.poll(async () => (await logOf(id, 'status=delivered')).length).toBe(3)
    const [last] = await logOf(id)
    expect(last).toMatchObject({ action: 'deleted', attempts: 1, response: 'thanks', error: null })
    expect(last.tries).toMatchObject([{ status: 200, error: null }])
    expect(last.request).toBe(to.received[2]?.body)
    expect(to.received.map(({ headers }) => headers['webhook-id'])).toContain(last.id)
  })

  test('gets what comes to meet the conditions, of bulk edits too, with the fields that it is for', async () => {
    const to = await receiver()
    allow([to.host])
    const where = [{ field: 'price', operator: 'gt', value: 5 }]
    await made(to.url, { where, fields: ['price'] })
    startSending()
    await deps.db.execute(
      sql`insert into entities.book (id, title, price) select g, 'x', 1 from generate_series(1, 150) g`,
    )
    await deps.db.execute(sql`update entities.book set title = 'y'`)
    await deps.db.execute(sql`update entities.book set price = 9 where id in (3, 4)`)
    await deps.db.execute(sql`update entities.book set price = 10 where id = 3`)
    await createBook({ id: 200, title: 'z', price: 7 })
    await createBook({ id: 201, title: 'z', price: 1 })
    await expect
      .poll(() => to.keys().sort())
      .toEqual([...['record.created 200', 'record.entered 3', 'record.entered 4']])
    const entered = to.received.find(({ json }) => json.type === 'record.entered')
    expect(entered?.json.data).toMatchObject({ fields: ['price'], after: { price: 9 } })
    expect(entered?.body).not.toContain('title')
  })

  test('gets one message about many records', async () => {
    const to = await receiver()
    allow([to.host])
    await made(to.url)
    startSending()
    await deps.db.execute(
      sql`insert into entities.book (id) select g from generate_series(1, 150) g`,
    )
    await expect.poll(to.keys).toEqual(['records.many'])
    expect(to.received[0]?.json.data.counts).toEqual({ created: 150, updated: 0, deleted: 0 })
  })

  test('may have CloudEvents, and for a day after a rotation signatures of both secrets', async () => {
    const to = await receiver()
    allow([to.host])
    const { id, secret } = await made(to.url, { format: 'cloudevents' })
    const { secret: newer } = await rotateSecret(id)
    startSending()
    await createBook({ id: 1 })
    await expect.poll(() => to.received.length).toBe(1)
    const { headers, body } = to.received[0] as Received
    expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8')
    expect(JSON.parse(body)).toMatchObject({
      ...{ specversion: '1.0', id: headers['webhook-id'], type: 'record.created', subject: '1' },
      ...{ source: 'http://localhost:3000/api/entities/Book', time: expect.any(String) },
      data: { entity: 'Book', key: '1', action: 'created' },
    })
    for (const one of [secret, newer]) new Webhook(one).verify(body, headers)
    await deps.db.execute(sql`update engine.webhooks set former_until = now()`)
    await createBook({ id: 2 })
    await expect.poll(() => to.received.length).toBe(2)
    const last = to.received[1] as Received
    new Webhook(newer).verify(last.body, last.headers)
    expect(() => new Webhook(secret).verify(last.body, last.headers)).toThrow()
  })
})

describe('sent again', () => {
  test('is one delivery, all failed ones, or those of a time, as a test is not', async () => {
    const to = await receiver()
    allow([to.host])
    const { id } = await made(to.url)
    startSending()
    for (const book of [1, 2, 3]) await createBook({ id: book })
    await expect.poll(async () => (await logOf(id, 'status=delivered')).length).toBe(3)
    const [third, second, first] = await logOf(id)
    expect((await again(id, first.id)).status).toBe(200)
    await expect.poll(() => to.received.length).toBe(4)
    expect(to.received[3]?.headers['webhook-id']).toBe(first.id)
    await expect.poll(async () => (await logOf(id, 'status=delivered')).length).toBe(3)
    await deps.db.execute(
      sql`update engine.webhook_deliveries set status = 'failed' where id = ${second.id}`,
    )
    expect((await allAgain(id, {})).body.data).toEqual([{ redelivered: 1 }])
    await expect.poll(() => to.received.at(4)?.headers['webhook-id']).toBe(second.id)
    await expect.poll(async () => (await logOf(id, 'status=delivered')).length).toBe(3)
    await deps.db.execute(
      sql`update engine.webhook_deliveries set created_at = now() - interval '1 hour' where id <> ${third.id}`,
    )
    const { body } = await allAgain(id, { from: third.createdAt, to: '2999-01-01T00:00:00Z' })
    expect(body.data).toEqual([{ redelivered: 1 }])
    await expect.poll(() => to.received.at(5)?.headers['webhook-id']).toBe(third.id)
    const test = await sendTest(id)
    expect((await again(id, test.id)).status).toBe(409)
    expect((await again(id, crypto.randomUUID())).status).toBe(404)
  })
  test('of a time that PostgreSQL has no word for is refused', async () => {
    const { id } = await made('https://1.1.1.1/')
    for (const from of [
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00+23:00',
      '9999-12-31T23:59:59-23:00',
    ]) {
      const { status, body } = await allAgain(id, { from })
      expect([status, body.validations?.[0].field]).toEqual([400, 'from'])
      expect((await log(id, new URLSearchParams({ from }).toString())).status).toBe(400)
    }
  })
})
