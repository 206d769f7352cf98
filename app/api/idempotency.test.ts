import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { idempotencyKeys } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { respondOnce, sweepIdempotencyKeys } from '@/lib/layers/idempotency'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { POST as CREATE } from './entities/[entityName]/route'
import { POST as INSTALL } from './plugins/install/zip/route'

const deps = freshDeps()
let apiKey: string
beforeEach(async () => {
  apiKey = await testKey(deps, ['ADMIN'])
  await installTestEntity(deps, {
    entity: { name: 'Note' },
    schema: { name: 'Note', properties: [{ name: 'text', type: 'string', required: true }] },
  })
})

const create = (body: unknown, key: string, authorization = `Bearer ${apiKey}`) =>
  call(deps, CREATE, {
    method: 'POST',
    path: '/api/entities/Note',
    body,
    params: { entityName: 'Note' },
    headers: { 'Idempotency-Key': key, authorization },
  })

const RESPONSE = { status: 201, headers: {}, body: '{}' }
const store = async (response: typeof RESPONSE) => response

const notes = () => rows<{ text: string }>(deps.db, sql`select "text" from entities.note`)

describe('Idempotency-Key', () => {
  test('the same request has one effect and the same response', async () => {
    const first = await create({ text: 'a' }, 'k1')
    const second = await create({ text: 'a' }, 'k1')
    expect(first.status).toBe(201)
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(await notes()).toHaveLength(1)
  })

  test('twenty concurrent requests have one effect', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => create({ text: 'a' }, 'k')),
    )
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(await notes()).toHaveLength(1)
  })

  test('another request with the key is 409, and has no effect', async () => {
    await create({ text: 'a' }, 'k1')
    expect(await create({ text: 'b' }, 'k1')).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('Idempotency-Key') },
    })
    expect(await notes()).toHaveLength(1)
  })

  test('keys of two callers never meet', async () => {
    const other = await testKey(deps, ['ADMIN'])
    await create({ text: 'a' }, 'k1')
    expect((await create({ text: 'b' }, 'k1', `Bearer ${other}`)).status).toBe(201)
  })

  test('a refused request leaves its key free', async () => {
    expect((await create({ wrong: 1 }, 'k1')).status).toBe(400)
    expect((await create({ text: 'a' }, 'k1')).status).toBe(201)
  })

  test('a first request with an unknown outcome is not repeated', async () => {
    const request = { ownerId: 'someone', key: 'k', content: 'c', rights: 'r' }
    const work = vi.fn(async () => RESPONSE)
    await respondOnce(deps, request, { work, store })
    await deps.db.update(idempotencyKeys).set({ response: null })
    const repeated = respondOnce(deps, request, { work, store }, 200)
    await expect(repeated).rejects.toThrow('check whether it took effect')
    expect(work).toHaveBeenCalledTimes(1)
  })

  describe('when the response cannot be kept', () => {
    const table = sql`engine.idempotency_keys`
    beforeEach(() => deps.db.execute(sql`alter table ${table} add check (response is null)`))
    afterEach(() =>
      deps.db.execute(sql`alter table ${table} drop constraint idempotency_keys_response_check`),
    )

    test('the caller gets it all the same, and the key stays taken', async () => {
      expect((await create({ text: 'a' }, 'k1')).status).toBe(201)
      expect(await notes()).toHaveLength(1)
      expect(await deps.db.$count(idempotencyKeys)).toBe(1)
    })

    test('the request is not done again', async () => {
      const request = { ownerId: 'someone', key: 'k', content: 'c', rights: 'r' }
      const work = vi.fn(async () => RESPONSE)
      const first = await respondOnce(deps, request, { work, store })
      expect(first).toEqual({ response: RESPONSE, replayed: false })
      const repeated = respondOnce(deps, request, { work, store }, 200)
      await expect(repeated).rejects.toThrow('check whether it took effect')
      expect(work).toHaveBeenCalledTimes(1)
    })
  })

  test('a response that breaks off while it is read does not release the key', async () => {
    const request = { ownerId: 'someone', key: 'k', content: 'c', rights: 'r' }
    const work = vi.fn(async () => RESPONSE)
    const broken = { work, store: () => Promise.reject(new Error('It broke off')) }
    await expect(respondOnce(deps, request, broken)).rejects.toThrow('It broke off')
    const repeated = respondOnce(deps, request, { work, store }, 200)
    await expect(repeated).rejects.toThrow('check whether it took effect')
    expect(work).toHaveBeenCalledTimes(1)
  })

  test('after a day the key is new', async () => {
    await create({ text: 'a' }, 'k1')
    await deps.db.update(idempotencyKeys).set({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
    await sweepIdempotencyKeys(deps)
    expect(await deps.db.$count(idempotencyKeys)).toBe(0)
    expect((await create({ text: 'b' }, 'k1')).status).toBe(201)
  })

  test('responses are not kept in plain text', async () => {
    await create({ text: 'canary-in-response' }, 'canary-in-key')
    const [row] = await deps.db.select().from(idempotencyKeys)
    expect(JSON.stringify(row)).not.toMatch(/canary/)
  })

  test('an uploaded archive is distinguished by its content', async () => {
    const upload = async (version: string) =>
      call(deps, INSTALL, {
        method: 'POST',
        path: '/api/plugins/install/zip',
        body: uploadOf(
          await archiveOf(
            pluginFiles({ EngineEntities: { files: { 'A.json': { name: 'Aa' } } } }, { version }),
          ),
        ),
        headers: { 'Idempotency-Key': 'k', authorization: `Bearer ${apiKey}` },
      })
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') }) // ZIPs bear the time
    const [first, again, other] = [await upload('1'), await upload('1'), await upload('2')]
    vi.useRealTimers()
    expect(again.text).toBe(first.text)
    expect(other.status).toBe(409)
  })

  test.each(['', 'x'.repeat(256)])('a key of the wrong length is 400', async (key) => {
    expect((await create({ text: 'a' }, key)).status).toBe(400)
  })
})
