import { afterAll, beforeAll, expect } from 'vitest'
import type { Promotion, PromotionWithPlan } from '@/lib/servers/contract'
import { bundleScript } from '@/lib/testing/bundle-script'
import { EngineProcess, type Home, makeHome } from '@/lib/testing/engine-process'

/** A server of its own, which may be ended and started again. */
export type Server = {
  url: string
  key: string
  home: Home
  kill: () => Promise<void>
}

let bundle = ''
const homes: Home[] = []
const running = new Set<EngineProcess>()

export function servers() {
  beforeAll(async () => {
    bundle = await bundleScript('app/api/servers/testing/serving-server.ts')
  }, 300_000)
  afterAll(async () => {
    for (const engine of running) await engine.kill()
    for (const home of homes) await home.remove()
  })
}

/** `allowed`: a server on this machine, to which it may send. */
export async function startServer(allowed?: Server, home?: Home): Promise<Server> {
  const own = home ?? (await makeHome())
  if (!home) homes.push(own)
  const more: Record<string, string> = { APP_URL: `http://server-${homes.indexOf(own)}.example` }
  if (allowed) more.OUTGOING_ALLOWED_HOSTS = new URL(allowed.url).host
  const engine = await EngineProcess.start(bundle, own, more)
  running.add(engine)
  const { url, key } = await engine.ask<{ url: string; key: string }>({})
  return { url, key, home: own, kill: () => engine.kill() }
}

/** The response to a request with the key of an administrator. */
export async function ask({ url, key }: Server, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })
  const text = await response.text()
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : null }
}

export async function send(server: Server, method: string, path: string, body?: object) {
  const { status, text, body: answer } = await ask(server, method, path, body)
  expect(status, text).toBeLessThan(300)
  return answer.data
}

/** A model of shoes with some of them, and what is made beside plugins. */
export async function fill(server: Server, shoes: number): Promise<void> {
  await send(server, 'POST', '/api/model/apply', {
    entities: [{ name: 'Shoe', pks: [{ key: 'id', strategy: 'Fixed', type: 'string' }] }],
    schemas: [
      {
        name: 'Shoe',
        properties: [
          { name: 'id', type: 'string' },
          { name: 'name', type: 'string' },
          { name: 'size', type: 'number' },
        ],
      },
    ],
  })
  const records = Array.from({ length: shoes }, (_, n) => ({
    ...{ id: `s${n}`, name: `Shoe ${n}`, size: 30 + (n % 20) },
  }))
  for (let at = 0; at < shoes; at += 500)
    await send(server, 'POST', '/api/entities/Shoe/batch', {
      records: records.slice(at, at + 500),
    })
  await send(server, 'POST', '/api/roles', { name: 'Clerk', label: 'Clerks' })
  await send(server, 'POST', '/api/policies', {
    ...{ name: 'Clerks read', principals: ['Clerk'], entities: ['Shoe'], actions: ['read'] },
  })
}

/** Adds `other` to the servers of `server`; returns its id there. */
export async function add(server: Server, { url, key }: Server, name = 'Other'): Promise<string> {
  const [made] = await send(server, 'POST', '/api/servers', { name, url, key })
  return made.id
}

/** Waits until nothing is done for it any more. */
export async function settled(server: Server, id: string): Promise<PromotionWithPlan> {
  const read = async () => (await send(server, 'GET', `/api/promotions/${id}`))[0]
  await expect
    .poll(async () => (await read()).status, { timeout: 600_000, interval: 100 })
    .not.toMatch(/PLANNING|WAITING|RUNNING|UNDOING/)
  return read()
}

export async function plan(server: Server, id: string, body: object = {}) {
  const [asked]: Promotion[] = await send(server, 'POST', `/api/servers/${id}/plan`, body)
  const made = await settled(server, asked?.id ?? '')
  expect(made.error).toBeNull()
  return made
}

/** Begins to carry a plan out. */
export const start = (server: Server, { serverId, seal }: Promotion) =>
  ask(server, 'POST', `/api/servers/${serverId}/promote?seal=${seal}`)

export async function promote(server: Server, id: string, body: object = {}) {
  const planned = await plan(server, id, body)
  await start(server, planned)
  return settled(server, planned.id)
}

export async function undo(server: Server, id: string) {
  await send(server, 'POST', `/api/promotions/${id}/undo`)
  return settled(server, id)
}

/** The records, roles and policies of a server, as one value. */
export async function stateOf(server: Server) {
  const list = async (path: string) => {
    const { status, body } = await ask(server, 'GET', path)
    return status === 404 ? null : body.data
  }
  const shoes = await list('/api/entities/Shoe?size=1000&sort=id:asc&fields=id,name,size')
  const roles = await list('/api/roles?size=100')
  const policies = await list('/api/policies?size=100')
  return {
    shoes,
    roles: roles.filter((one: { builtIn: boolean }) => !one.builtIn).map(nameOf),
    policies: policies.map(nameOf),
  }
}

const nameOf = ({ name }: { name: string }) => name
