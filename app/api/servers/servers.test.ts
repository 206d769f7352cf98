import { createServer } from 'node:http'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, test } from 'vitest'
import { auditLog, otherServers, promotions } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import { openRemote } from '@/lib/remote/open-remote'
import { countOutdated, encryptAgain } from '@/lib/secrets/encrypt-again'
import { addressOf } from '@/lib/servers/store'
import { freshDeps } from '@/lib/testing/deps'
import { listen } from '@/lib/testing/listen'
import { call } from '@/lib/testing/request'
import * as undo from '../promotions/[id]/undo/route'
import * as allPromotions from '../promotions/route'
import * as plan from './[id]/plan/route'
import * as promote from './[id]/promote/route'
import * as byId from './[id]/route'
import * as connection from './[id]/test/route'
import * as all from './route'

const deps = freshDeps()
const KEY = 'eng_0123456789abcdefghijklmnopqrstuv'
const BODY = { name: 'Staging', url: 'https://staging.example.com', key: KEY }

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const create = (body: object = BODY, as = 'ADMIN') =>
  call(deps, all.POST, { method: 'POST', path: '/api/servers', as, body })
const made = async (body: object = BODY) => {
  const { status, body: answer } = await create(body)
  expect(status).toBe(201)
  return answer.data[0].id as string
}
const on = (id: string, path = '') => ({
  ...{ path: `/api/servers/${id}${path}`, params: { id }, as: 'ADMIN' },
})
const change = (id: string, body: object) =>
  call(deps, byId.PATCH, { method: 'PATCH', ...on(id), body })
const list = () => call(deps, all.GET, { path: '/api/servers', as: 'ADMIN' })
const row = async (id: string) =>
  one(await deps.db.select().from(otherServers).where(eq(otherServers.id, id)))

describe('a server', () => {
  test('is kept with its key encrypted, which no answer and no entry of the audit log has', async () => {
    const id = await made()
    const listed = await list()
    expect(listed.body.data).toEqual([
      {
        ...{ id, name: 'Staging', url: BODY.url, createdBy: expect.any(String) },
        ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
      },
    ])
    const stored = await row(id)
    expect(stored.key).not.toContain(KEY)
    expect(addressOf(deps, stored).key).toBe(KEY)
    const changed = await change(id, { name: 'Test', key: `${KEY}2` })
    expect(changed.body.data[0].name).toBe('Test')
    expect(addressOf(deps, await row(id)).key).toBe(`${KEY}2`)
    await call(deps, byId.DELETE, { method: 'DELETE', ...on(id) })
    expect((await list()).body.data).toEqual([])
    const entries = await deps.db.select().from(auditLog)
    const actions = entries.map(({ action }) => action).filter((name) => name.startsWith('servers'))
    expect(actions.sort()).toEqual(['servers.create', 'servers.delete', 'servers.update'])
    expect(JSON.stringify([listed.text, entries])).not.toContain(KEY)
  })

  test('has its key sent to the address alone that it was entered for', async () => {
    const id = await made()
    const moved = await change(id, { url: 'https://elsewhere.example.com' })
    expect([moved.status, moved.body.validations[0].field]).toEqual([400, 'key'])
    expect((await change(id, { url: 'https://elsewhere.example.com', key: KEY })).status).toBe(200)
  })

  test.each([
    ['inside this network', { ...BODY, url: 'https://127.0.0.1' }, 'url'],
    ['without TLS', { ...BODY, url: 'http://staging.example.com' }, 'url'],
    ['with a query', { ...BODY, url: 'https://staging.example.com?a=b' }, 'url'],
    ['without a name', { ...BODY, name: ' ' }, 'name'],
    ['with a key that is none', { ...BODY, key: 'two words' }, 'key'],
  ])('%s is refused', async (_, body, field) => {
    const { status, body: answer } = await create(body)
    expect([status, answer.validations[0].field]).toEqual([400, field])
  })

  test('has a name of its own, and is added by administrators alone', async () => {
    await made()
    expect((await create({ ...BODY, name: 'STAGING' })).status).toBe(409)
    expect((await create(BODY, 'EDITOR')).status).toBe(403)
  })

  test('keeps its key when the secret of the app is replaced', async () => {
    const id = await made()
    const current = 'the next secret of the app, of 32 characters'
    deps.secret = { current, previous: deps.secret.current }
    expect(await countOutdated(deps)).toBe(1)
    expect(await encryptAgain(deps)).toBe(1)
    deps.secret = { current, previous: null }
    expect(addressOf(deps, await row(id)).key).toBe(KEY)
  })

  test('that answers too much, or what is no engine, is refused by a test', async () => {
    const server = createServer((_, response) => response.end('<html>'))
    const { port, close } = await listen(server)
    closing.push(close)
    deps.remote = openRemote({ allowedHosts: [`127.0.0.1:${port}`] })
    const id = await made({ ...BODY, url: `http://127.0.0.1:${port}` })
    const asked = () => call(deps, connection.POST, { method: 'POST', ...on(id, '/test') })
    const first = await asked()
    expect([first.status, first.body.error]).toEqual([
      502,
      expect.stringMatching(/is not an engine/),
    ])
    deps.settings = { ...deps.settings, MAX_ZIP_BYTES: 3, MAX_JSON_BYTES: 3 }
    const second = await asked()
    expect([second.status, second.body.error]).toEqual([502, expect.stringMatching(/longer than/)])
  })
})

describe('a promotion', () => {
  const planned = async (
    serverId: string,
    status: 'PLANNED' | 'RUNNING' | 'DONE',
    seal = 'seal',
  ) => {
    const request = { records: 'all', entities: null, where: {}, onConflict: 'fail' } as const
    const values = { serverId, serverName: 'Staging', direction: 'pull', request } as const
    const dueAt = new Date('2100-01-01')
    const query = deps.db
      .insert(promotions)
      .values({ ...values, status, seal, dueAt, createdBy: 'x' })
    return one(await query.returning())
  }
  const start = (id: string, seal: string) =>
    call(deps, promote.POST, { method: 'POST', ...on(id, `/promote?seal=${seal}`) })

  test('is not begun by the seal of another plan, nor while another one runs', async () => {
    const id = await made()
    await planned(id, 'PLANNED')
    expect((await start(id, 'other')).status).toBe(409)
    const running = await planned(id, 'RUNNING', 'running')
    const refused = await start(id, 'seal')
    expect([refused.status, refused.body.error]).toEqual([
      ...[409, expect.stringContaining('Another promotion is running, from "Staging"')],
    ])
    await deps.db.update(promotions).set({ status: 'DONE' }).where(eq(promotions.id, running.id))
    expect((await start(id, 'seal')).status).toBe(202)
  })

  test('that did nothing can not be undone; one of a server that was removed stops with the reason', async () => {
    const id = await made()
    const undone = (promotion: string) =>
      call(deps, undo.POST, {
        ...{ method: 'POST', path: `/api/promotions/${promotion}/undo`, as: 'ADMIN' },
        params: { id: promotion },
      })
    expect((await undone((await planned(id, 'PLANNED')).id)).status).toBe(409)
    const done = await planned(id, 'DONE')
    await call(deps, byId.DELETE, { method: 'DELETE', ...on(id) })
    expect((await undone(done.id)).status).toBe(202)
    const read = async () => {
      const { body } = await call(deps, allPromotions.GET, { path: '/api/promotions', as: 'ADMIN' })
      return body.data.find((one: { id: string }) => one.id === done.id)
    }
    await expect.poll(async () => (await read()).status).toBe('STOPPED')
    expect(await read()).toMatchObject({
      serverId: null,
      error: 'The server "Staging" was removed',
    })
  })

  test('is planned in the background, and says why where the server is away', async () => {
    const id = await made({ ...BODY, url: 'https://no-such-host.invalid' })
    const { status, body } = await call(deps, plan.POST, {
      ...{ method: 'POST', ...on(id, '/plan'), body: {} },
    })
    expect([status, body.data[0].status]).toEqual([202, 'PLANNING'])
    const read = async () =>
      (await call(deps, allPromotions.GET, { path: '/api/promotions', as: 'ADMIN' })).body.data[0]
    await expect.poll(async () => (await read()).status, { timeout: 20_000 }).toBe('FAILED')
    expect((await read()).error).toMatch(/reached|host name|respond/)
  })
})
