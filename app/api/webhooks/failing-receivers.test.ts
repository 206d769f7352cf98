import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import {
  change as changeBook,
  create as createBook,
  deps,
} from '@/app/api/entities/[entityName]/changes/testing/followed'
import { receiver, status } from './testing/receiver'
import {
  allAgain,
  allow,
  change,
  log,
  made,
  read,
  sendTest,
  startSending,
} from './testing/webhooks-api'

/** Makes what waits for its next attempt due. */
const skipPauses = () =>
  deps.db.execute(sql`update engine.webhook_deliveries set next_attempt_at = now()`)

const logOf = async (id: string, query = '') => (await log(id, query)).body.data

describe('a receiver that fails', () => {
  test('is tried again later with the same webhook-id, and other records do not wait', async () => {
    const to = await receiver()
    to.state.answer = (response, { json }) => {
      const isFirst = json.data.key === '1'
      response.writeHead(isFirst ? 500 : 200, isFirst ? { 'retry-after': '60' } : {}).end('broken')
    }
    allow([to.host])
    const { id } = await made(to.url)
    startSending()
    await createBook({ id: 1 })
    await changeBook('1', { title: 'B' })
    await createBook({ id: 2 })
    await expect.poll(() => to.keys().sort()).toEqual(['record.created 1', 'record.created 2'])
    await expect
      .poll(async () => (await logOf(id, 'entity=Book&key=1')).at(-1).tries.length)
      .toBe(1)
    const [waiting] = await logOf(id, 'status=queued&entity=Book&key=1').then((all) =>
      all.slice(-1),
    )
    expect(waiting).toMatchObject({ attempts: 1, error: 'The receiver answered 500' })
    expect(waiting).toMatchObject({ response: 'broken', tries: [{ status: 500 }] })
    to.state.answer = (response) => response.end()
    await skipPauses()
    await change(id, { enabled: true })
    await expect.poll(() => to.keys().slice(2)).toEqual(['record.created 1', 'record.updated 1'])
    const ids = to.received.filter(
      ({ json }) => json.type === 'record.created' && json.data.key === '1',
    )
    expect(new Set(ids.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('and asks for time gets it, for all that waits', async () => {
    const to = await receiver(status(429, { 'retry-after': '3600' }))
    allow([to.host])
    const { id } = await made(to.url)
    startSending()
    await createBook({ id: 1 })
    await expect.poll(async () => (await logOf(id))[0]?.tries.length).toBe(1)
    const [{ nextAttemptAt }] = await logOf(id)
    expect(new Date(nextAttemptAt).getTime() - Date.now()).toBeGreaterThan(3_500_000)
    await createBook({ id: 2 })
    await expect.poll(async () => (await logOf(id)).length).toBe(2)
    await sendTest(id) // passes over it
    expect(to.keys()).toEqual(['record.created 1', 'webhook.test'])
  })

  test('with 410 gets nothing more until somebody resumes the webhook', async () => {
    const to = await receiver(status(410))
    allow([to.host])
    const { id } = await made(to.url)
    startSending()
    await createBook({ id: 1 })
    await expect.poll(async () => (await read(id)).stopped).toBe('removed')
    await createBook({ id: 2 })
    expect(await mails()).toEqual(['webhook-stopped'])
    to.state.answer = status(200)
    await change(id, { enabled: true })
    await allAgain(id, {})
    await expect
      .poll(() => to.keys().sort())
      .toEqual([...['record.created 1', 'record.created 1', 'record.created 2']])
  })

  test('for twelve hours is stopped, with a mail', async () => {
    const to = await receiver(status(500))
    allow([to.host])
    const { id } = await made(to.url)
    await deps.db.execute(
      sql`update engine.webhooks set failures = 20, failing_since = now() - interval '12 hours'`,
    )
    startSending()
    await createBook({ id: 1 })
    await expect.poll(async () => (await read(id)).stopped).toBe('failing')
    expect(await mails()).toEqual(['webhook-stopped'])
  })

  const mails = async () => (await deps.db.query.mails.findMany()).map(({ template }) => template)
})

describe('a receiver that misbehaves', () => {
  test('by never answering, is given up after the limit, and holds up nobody else', async () => {
    const [silent, sound] = [await receiver(() => {}), await receiver()]
    allow([silent.host, sound.host], 1_000)
    const { id } = await made(silent.url)
    await made(sound.url)
    startSending()
    for (let book = 1; book <= 8; book++) await createBook({ id: book })
    await expect.poll(() => sound.received.length).toBe(8)
    await expect
      .poll(async () => (await logOf(id)).at(-1).error)
      .toBe('No response within 1 seconds')
  })

  test('by 10 MB, is read for the first 4 KiB', async () => {
    const to = await receiver(status(200, {}, 'x'.repeat(10 * 1024 * 1024)))
    allow([to.host])
    const { id } = await made(to.url)
    expect((await sendTest(id)).response).toBe('x'.repeat(4096))
  })

  test('by a redirect, even to itself, is not followed', async () => {
    const inside = await receiver()
    const to = await receiver(status(307, { location: inside.url }))
    allow([to.host, inside.host])
    const { id } = await made(to.url)
    expect(await sendTest(id)).toMatchObject({
      ...{ status: 'failed', error: 'The receiver answered 307', attempts: 1 },
    })
    expect(inside.received).toEqual([])
  })

  test('by moving to a private address after it was saved, is never connected to', async () => {
    const to = await receiver()
    allow([to.host])
    const { id } = await made(to.url)
    allow([])
    const { status: state, error } = await sendTest(id)
    expect([state, error, to.received]).toEqual(['failed', expect.stringContaining('https://'), []])
  })

  test('by changing to another protocol, is given up', async () => {
    const to = await receiver((_, __, request) =>
      request.socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      ),
    )
    allow([to.host], 1_000)
    const { id } = await made(to.url)
    expect(await sendTest(id)).toMatchObject({
      ...{ status: 'failed', error: 'The receiver could not be reached (ECONNRESET)' },
    })
  })

  test('by not being there, says so', async () => {
    const to = await receiver()
    to.close()
    allow([to.host])
    const { id } = await made(to.url)
    expect((await sendTest(id)).error).toBe('The receiver could not be reached (ECONNREFUSED)')
  })
})
