import { describe, expect, test } from 'vitest'
import type { ApiServer, Call } from '@/lib/testing/api-servers'
import { Cookies } from '@/lib/testing/cookies'
import { testsOnPostgres } from '@/lib/testing/deps'
import { onServer } from '@/lib/testing/on-server'
import { hashPassword } from '@/lib/testing/password'
import { entityFiles, Instances, KEY } from './testing/instances'

const PASSWORD = 'correct horse battery'
/** What one instance does must hold on the other within this. */
const SOON = { timeout: 1_000, interval: 5 }

describe.runIf(testsOnPostgres())('of two instances under load', () => {
  const instances = new Instances().start()
  const both = [0, 1]

  async function addUser(email: string, role: string): Promise<void> {
    const hash = await hashPassword(PASSWORD)
    const { home } = instances
    await onServer(
      home.directUrl || home.databaseUrl,
      `insert into engine.users (email, password_hash, roles, status) values ('${email}', '${hash}', '{${role}}', 'ACTIVATED')`,
    )
  }

  /** A browser that sends each request to the server that it is told. */
  function browser() {
    const cookies = new Cookies()
    const send = async (server: ApiServer, call: Call) => {
      const headers = { 'sec-fetch-site': 'same-origin', cookie: cookies.header(), ...call.headers }
      const reply = await server.send({ ...call, headers })
      cookies.keep(reply.headers)
      return reply
    }
    const signIn = async (server: ApiServer, email: string, password = PASSWORD) => {
      const { body } = await send(server, { path: '/api/auth/csrf' })
      const fields = { csrfToken: body.csrfToken, email, password, json: 'true' }
      return send(server, {
        method: 'POST',
        path: '/api/auth/callback/credentials',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    }
    return { send, signIn }
  }

  const statusOf = async (n: number, key: string, method = 'GET', path = '/api/entities') =>
    (await instances.at(n).send({ method, path, key, body: method === 'GET' ? undefined : {} }))
      .status

  test('a definition of the one decides at once about the records of the other', () =>
    instances.underLoad(async () => {
      for (let max = 1; max <= 6; max++) {
        const field = `field${max}`
        const properties = [
          { name: 'people', type: 'integer', max },
          { name: field, type: 'string' },
        ]
        await instances.install(max, entityFiles('city', { name: 'City', properties }))
        const create = (people: number) =>
          instances.ask(max + 1, 'POST', '/api/entities/City', { people, [field]: 'x' })
        expect((await create(max + 1)).status).toBe(400)
        expect((await create(max)).status).toBe(201)
        for (const n of both) {
          const columns = async () =>
            JSON.stringify((await instances.ask(n, 'GET', '/api/entities/City/columns')).body)
          await expect.poll(columns, SOON).toContain(field)
        }
      }
    }))

  test('a key of the one is good for the other, until the one revokes it', () =>
    instances.underLoad(async () => {
      for (let n = 0; n < 6; n++) {
        const { body } = await instances.ask(n, 'POST', '/api/api-keys', { name: `k${n}` })
        const [{ id, apiKey }] = body.data
        for (const at of both) expect(await statusOf(at, apiKey)).toBe(200)
        expect((await instances.ask(n, 'DELETE', `/api/api-keys/${id}`)).status).toBe(200)
        for (const at of both) await expect.poll(() => statusOf(at, apiKey), SOON).toBe(401)
      }
    }))

  test('roles that the one takes away are gone on the other, for keys too', () =>
    instances.underLoad(async () => {
      await addUser('bob@example.com', 'ADMIN')
      const bob = browser()
      expect((await bob.signIn(instances.at(0), 'bob@example.com')).status).toBe(200)
      const key = { method: 'POST', path: '/api/api-keys', body: { name: 'of Bob' } }
      const [{ apiKey, ownerId }] = (await bob.send(instances.at(1), key)).body.data
      const write = (n: number) => statusOf(n, apiKey, 'POST', '/api/entities/Loaded')
      for (const n of both) expect(await write(n)).toBe(201)
      for (const [n, role, status] of [
        [0, 'VIEWER', 403],
        [1, 'ADMIN', 201],
        [1, 'VIEWER', 403],
      ] as const) {
        const changed = await instances.ask(n, 'PATCH', `/api/users/${ownerId}`, { roles: [role] })
        expect(changed.status).toBe(200)
        for (const at of both) await expect.poll(() => write(at), SOON).toBe(status)
      }
    }))

  test('a session of the one is one of the other, and ends on both', () =>
    instances.underLoad(async () => {
      await addUser('ann@example.com', 'ADMIN')
      for (const n of both) {
        const ann = browser()
        expect((await ann.signIn(instances.at(n), 'ann@example.com')).status).toBe(200)
        const me = async (at: number) => ann.send(instances.at(at), { path: '/api/users/me' })
        for (const at of both) expect((await me(at)).status).toBe(200)
        const [{ userId }] = (await me(0)).body.data
        expect((await instances.ask(n, 'DELETE', `/api/users/${userId}/sessions`)).status).toBe(200)
        for (const at of both) await expect.poll(async () => (await me(at)).status, SOON).toBe(401)
      }
    }))

  test('attempts to guess a password count together', () =>
    instances.underLoad(async () => {
      await addUser('eve@example.com', 'ADMIN')
      const statuses: number[] = []
      for (let n = 0; n < 12; n++)
        statuses.push((await browser().signIn(instances.at(n), 'eve@example.com', 'wrong')).status)
      expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
      for (const n of both)
        expect((await browser().signIn(instances.at(n), 'eve@example.com')).status).toBe(429)
    }))

  test('requests with the same Idempotency-Key have one effect', () =>
    instances.underLoad(async () => {
      const once = { 'idempotency-key': crypto.randomUUID() }
      const body = { client: 'once', step: 1 }
      const path = '/api/entities/Loaded'
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          instances.at(n).send({ method: 'POST', path, body, headers: once, key: KEY }),
        ),
      )
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
      const found = await instances.ask(0, 'GET', `${path}?filter=client:eq:once`)
      expect(found.body.pagination.total).toBe(1)
    }))
})
