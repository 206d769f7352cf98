import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { testsOnPostgres } from '@/lib/testing/deps'
import { hasNginx, startNginx } from '../../scripts/steps/nginx.mjs'
import { Instances, KEY } from './testing/instances'

const canRun = testsOnPostgres() && (await hasNginx())

describe.runIf(canRun)('two instances behind nginx, as deploy/proxies configures it', () => {
  const instances = new Instances().start(async () => ({ TRUST_PROXY: '1' }))
  let proxy: Awaited<ReturnType<typeof startNginx>>
  beforeAll(async () => {
    proxy = await startNginx(instances.servers.map(({ url }) => new URL(url).host))
  })
  afterAll(() => proxy?.stop())

  const ask = (path: string, more: RequestInit = {}) =>
    fetch(`${proxy.url}${path}`, {
      ...more,
      headers: { authorization: `Bearer ${KEY}`, ...more.headers },
    })

  const sendJson = (method: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    return ask(path, { method, body: JSON.stringify(body), headers })
  }

  test('an upload passes that is larger than nginx allows by itself', async () => {
    const client = randomBytes(2 * 1024 * 1024).toString('hex')
    const files = pluginFiles(
      { Loaded: { files: { 'data.json': [{ client, step: 1 }] } } },
      { id: 'com.example.large', version: '1.0.0' },
    )
    const body = uploadOf(await archiveOf(files))
    const response = await ask('/api/plugins/install/zip', { method: 'POST', body })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ data: { successCount: 1 } })
  })

  test('an event arrives while its stream goes on', async () => {
    const { status } = await sendJson('PUT', '/api/entities/Loaded/events', { enabled: true })
    expect(status).toBe(200)
    const changes = '/api/entities/Loaded/changes'
    const { meta } = await (await ask(changes)).json()
    const stream = await ask(`${changes}?since=${encodeURIComponent(meta.cursor)}`, {
      headers: { accept: 'text/event-stream' },
    })
    expect(stream.status).toBe(200)
    const texts = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    const made = await sendJson('POST', '/api/entities/Loaded', { client: 'followed', step: 2 })
    expect(made.status).toBe(201)
    let text = ''
    while (!text.includes('followed')) {
      const { value, done } = (await texts?.read()) ?? { done: true }
      expect(done, text).toBe(false)
      text += value
    }
    expect(text).toContain('event: change')
    await texts?.cancel()
  })

  /** The client's address as the audit log has it, of a role that is made from 127.0.0.2. */
  const addressOf = async (headers: Record<string, string>) => {
    const name = `Clerk${randomBytes(4).toString('hex')}`
    await new Promise<void>((resolve, reject) => {
      const options = {
        ...{ method: 'POST', localAddress: '127.0.0.2' },
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
      }
      const sent = request(`${proxy.url}/api/roles`, options, (response) => {
        response.resume().on('end', () => {
          if (response.statusCode === 201) resolve()
          else reject(new Error(`status ${response.statusCode}`))
        })
      })
      sent.on('error', reject).end(JSON.stringify({ name, label: name }))
    })
    const found = await ask(`/api/entities/EngineAuditLog?filter=objectId:eq:${name}`)
    return (await found.json()).data[0]?.address
  }

  test('the address of a client is its own, whatever it says', async () => {
    expect(await addressOf({})).toBe('127.0.0.2')
    expect(await addressOf({ 'x-forwarded-for': '203.0.113.7' })).toBe('127.0.0.2')
  })

  test('an instance that is dead is passed over', async () => {
    await instances.at(0).kill()
    const bodies = Array.from({ length: 8 }, (_, n) => n)
    for (const step of bodies) {
      const made = await sendJson('POST', '/api/entities/Loaded', { client: 'after', step })
      expect(made.status).toBe(201)
    }
    const found = await ask('/api/entities/Loaded?filter=client:eq:after')
    expect((await found.json()).pagination.total).toBe(bodies.length)
  })
})
