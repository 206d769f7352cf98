import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleScript } from '@/lib/testing/bundle-script'
import { EngineProcess, type Home, makeHome } from '@/lib/testing/engine-process'
import { forwardingServer, isInstall } from '@/lib/testing/forwarding-server'
import { killMoments, killRounds } from '@/lib/testing/kills'
import { newFolder, newPlugin, run, runJson, writeJson } from '../testing/cli'
import { ENGINE, ENV } from '../testing/engine-command'

type Server = { url: string; key: string; stop: () => Promise<void> }

let bundle = ''
let [from, to] = [] as unknown as [Server, Server]
/** The tests follow one another on the same servers: the first ones leave the target empty. */
beforeAll(async () => {
  bundle = await bundleScript('bin/testing/serving-engine.ts')
  ;[from, to] = await Promise.all([started('source'), started('target')])
  await fill(from)
}, 300_000)
const running: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of running) await stop()
})

async function started(name: string): Promise<Server> {
  const home: Home = await makeHome()
  const engine = await EngineProcess.start(bundle, home, { APP_URL: `http://${name}.example` })
  const { url, key } = await engine.ask<{ url: string; key: string }>({})
  const stop = async () => {
    await engine.kill()
    await home.remove()
  }
  running.push(stop)
  return { url, key, stop }
}

const envOf = ({ url, key }: Server) => ({ ENGINE_URL: url, ENGINE_API_KEY: key })

async function send({ url, key }: Server, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) })
  const text = await response.text()
  expect(response.status, text).toBeLessThan(300)
  return JSON.parse(text)
}

const SHOES = 300

/** A plugin of shoes, a second one of laces that need them, and what is made beside plugins. */
async function fill(server: Server): Promise<void> {
  const shop = await newPlugin()
  const shoes = Array.from({ length: SHOES }, (_, n) => ({ id: `s${n}`, name: `Shoe ${n}` }))
  await writeJson(shop, 'Shoe/data.json', shoes)
  await run(['install'], shop, { env: envOf(server) })
  const reference = { entity: 'Shoe', field: 'id' }
  await send(server, 'POST', '/api/model/apply', {
    entities: [
      { name: 'Lace', events: true, pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }] },
    ],
    schemas: [
      {
        name: 'Lace',
        properties: [
          { name: 'code', type: 'string' },
          { name: 'shoe', type: 'string', reference },
        ],
      },
    ],
  })
  await send(server, 'POST', '/api/entities/Lace', { code: 'a', shoe: 's1' })
  await send(server, 'POST', '/api/roles', { name: 'Clerk', label: 'Clerks' })
  await send(server, 'POST', '/api/policies', {
    ...{ name: 'Clerks read', principals: ['Clerk'], entities: ['Shoe'], actions: ['read'] },
  })
}

const promoting = (folder: string, ...args: string[]) =>
  runJson(['promote', '--from', from.url, '--to', to.url, ...args], folder, {
    env: { ENGINE_FROM_KEY: from.key, ENGINE_TO_KEY: to.key },
  })

/** All that a snapshot has, as one text. */
async function stateOf(server: Server): Promise<string> {
  const folder = await newFolder()
  const { json } = await runJson(['snapshot'], folder, { env: envOf(server) })
  const files: string[] = json.files
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return files.map((file, n) => `${file}\n${texts[n]}`).join('\n')
}

describe('a promotion', () => {
  test('brings all to an empty server, has nothing to do the second time, and is taken back', async () => {
    const [folder, empty] = [await newFolder(), await stateOf(to)]
    const { json: planned } = await promoting(folder, '--plan')
    expect(planned.settings).toEqual(['create  role Clerk', 'create  policy Clerks read'])
    expect(await stateOf(to)).toBe(empty)
    const { code, json } = await promoting(folder, '--seal', planned.seal)
    expect([code, json.done]).toEqual([0, expect.arrayContaining(['created  role Clerk'])])
    expect(await stateOf(to)).toBe(await stateOf(from))
    expect((await promoting(folder, 'second.json')).json).toEqual({ plans: [], settings: [] })
    const elsewhere = ['promote', '--to', from.url, '--undo']
    const wrong = await run(elsewhere, folder, { env: { ENGINE_TO_KEY: from.key } })
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining(`not to ${from.url}`)])
    const undone = await promoting(folder, '--undo')
    expect(undone.code).toBe(0)
    expect(await stateOf(to)).toBe(empty)
    expect((await promoting(folder, '--undo')).json).toEqual({ done: [] })
  }, 300_000)

  test('brings the records that match conditions, and says what stands between two servers', async () => {
    const folder = await newFolder()
    const { json } = await promoting(folder, '--where', 'Shoe=id:in:s1|s2', '--plan')
    expect(json.environment).toEqual([])
    await promoting(folder, '--where', 'Shoe=id:in:s1|s2')
    const shoes = await send(to, 'GET', '/api/entities/Shoe?fields=id&sort=id:asc')
    expect(shoes.data.map(({ id }: { id: string }) => id)).toEqual(['s1', 's2'])
    await promoting(folder, '--undo')
    const wrong = await promoting(folder, 'second.json', '--where', 'Shoe')
    expect([wrong.code, wrong.json.error]).toEqual([2, expect.stringContaining('Entity=filter')])
  }, 300_000)

  const KILLS = killRounds(2, 10)
  test(`whose command is killed, ${KILLS} times, is completed by the next, or taken back by its report`, async () => {
    const empty = await stateOf(to)
    const moment = killMoments('promote')
    const startedAt = performance.now()
    const folder = await newFolder()
    await promoting(folder, 'whole.json')
    const ms = performance.now() - startedAt
    const whole = await stateOf(to)
    await promoting(folder, 'whole.json', '--undo')
    for (let kill = 0; kill < KILLS; kill++) {
      const report = `killed-${kill}.json`
      const args = ['promote', report, '--from', from.url, '--to', to.url]
      const child = spawn(process.execPath, [ENGINE, ...args], {
        cwd: folder,
        env: { ...ENV, ENGINE_FROM_KEY: from.key, ENGINE_TO_KEY: to.key },
        stdio: 'ignore',
      })
      await delay(moment() * ms + 500)
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      if (kill % 2 === 0) {
        await settled()
        expect((await promoting(folder, `next-${kill}.json`)).code).toBe(0)
        expect(await stateOf(to)).toBe(whole)
        await promoting(folder, `next-${kill}.json`, '--undo').catch(() => null)
      }
      await settled()
      const { code } = await promoting(folder, report, '--undo')
      expect([0, 2]).toContain(code)
      expect(await stateOf(to)).toBe(empty)
    }
  }, 900_000)

  test('is refused with a seal of other plans, and leaves what people changed of what it made', async () => {
    const folder = await newFolder()
    const { json } = await promoting(folder, '--plan')
    await send(from, 'PATCH', '/api/roles/Clerk', { label: 'Others' })
    expect((await promoting(folder, '--seal', json.seal)).json).toMatchObject({
      error: expect.stringContaining('no longer holds'),
    })
    await promoting(folder)
    await send(to, 'PATCH', '/api/roles/Clerk', { label: 'Ours' })
    const { json: undone } = await promoting(folder, '--undo')
    expect(undone.done).toContain('left  role Clerk, which was changed since')
    expect(await stateOf(to)).toContain('"Ours"')
  }, 300_000)

  test('keeps what only the target changed, brings what only the source did, and stops where both have', async () => {
    const folder = await newFolder()
    await promoting(folder)
    const change = (server: Server, id: string, name: string) =>
      send(server, 'PATCH', `/api/entities/Shoe/${id}`, { name })
    await change(to, 's1', 'Ours')
    await change(from, 's2', 'Theirs')
    await send(from, 'DELETE', '/api/entities/Shoe/s3')
    const before = await stateOf(to)
    expect((await promoting(folder, 'second.json')).code).toBe(0)
    const after = await stateOf(to)
    expect(after).toContain('"Ours"')
    expect(after).toContain('"Theirs"')
    expect(after).not.toContain('"s3"')
    await promoting(folder, 'second.json', '--undo')
    expect(await stateOf(to)).toBe(before)

    await change(from, 's1', 'Other')
    const refused = await run(
      ['promote', 'third.json', '--from', from.url, '--to', to.url],
      folder,
      { env: { ENGINE_FROM_KEY: from.key, ENGINE_TO_KEY: to.key } },
    )
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/conflict.*s1/)])
    expect(await stateOf(to)).toBe(before)
    expect((await promoting(folder, 'third.json', '--on-conflict', 'take')).code).toBe(0)
    expect(await stateOf(to)).toContain('"Other"')
  }, 300_000)

  test('is refused by name, and taken back, where the target changes while it is carried out', async () => {
    const folder = await newFolder()
    await promoting(folder, '--on-conflict', 'take')
    await send(from, 'PATCH', '/api/entities/Shoe/s5', { name: 'Newer' })
    await send(from, 'PATCH', '/api/entities/Lace/a', { shoe: 's5' })
    await send(from, 'PATCH', '/api/roles/Clerk', { label: 'Newer' })
    const meanwhile = [
      [0, /records of "Shoe"/, '/api/entities/Shoe/s6', 'name'],
      [1, /Lace\/data/, '/api/entities/Lace/a', 'shoe'],
      [1, /role Clerk/, '/api/roles/Clerk', 'label'],
    ] as const
    for (const [installs, named, path, field] of meanwhile) {
      let isEdited = false
      const proxy = await changingServer(to, installs, async () => {
        await send(to, 'PATCH', path, { [field]: field === 'shoe' ? 's7' : `Here ${installs}` })
        isEdited = true
      })
      const before = await stateOf(to)
      const args = ['promote', 'changed.json', '--from', from.url, '--to', proxy, '--on-conflict']
      const refused = await run([...args, 'keep'], folder, {
        env: { ENGINE_FROM_KEY: from.key, ENGINE_TO_KEY: to.key },
      })
      expect([isEdited, refused.code, refused.err]).toEqual([true, 1, expect.stringMatching(named)])
      const after = await stateOf(to)
      expect(after.split('\n').filter((line) => !before.includes(line))).toHaveLength(1)
      expect(after).not.toContain('Newer')
    }
  }, 300_000)

  test('leaves a webhook its address at the target', async () => {
    const folder = await newFolder()
    const url = (host: string) => `https://${host}.example.com/shoes`
    const made = { name: 'Stock', entities: ['Lace'], url: url('staging') }
    const { data } = await send(from, 'POST', '/api/webhooks', made)
    await promoting(folder, '--on-conflict', 'take')
    const hookOf = async () => (await send(to, 'GET', '/api/webhooks')).data[0]
    const { id, enabled, actions } = await hookOf()
    expect(enabled).toBe(false)
    await send(to, 'PATCH', `/api/webhooks/${id}`, { url: url('production'), enabled: true })
    expect((await promoting(folder, 'none.json')).json).toEqual({ plans: [], settings: [] })
    await send(from, 'PATCH', `/api/webhooks/${data[0].id}`, { actions: ['created'] })
    const { json } = await promoting(folder, 'second.json')
    expect(json.done).toEqual(['changed  webhook Stock'])
    const own = { url: url('production'), enabled: true }
    expect(await hookOf()).toMatchObject({ ...own, actions: ['created'] })
    await promoting(folder, 'second.json', '--undo')
    expect(await hookOf()).toMatchObject({ ...own, actions })
  }, 300_000)
})

/** An install whose client has left goes on to its end. */
async function settled(): Promise<void> {
  const path = '/api/plugins/history?filter=status:eq:IN_PROGRESS'
  await expect.poll(async () => (await send(to, 'GET', path)).data, { timeout: 30_000 }).toEqual([])
}

/** Stands before a server that is changed once so many plugins were installed by it. */
async function changingServer(
  { url }: Server,
  installs: number,
  change: () => Promise<void>,
): Promise<string> {
  let left = installs
  const forwarding = await forwardingServer(url, {
    before: async (path) => {
      if (installs === 0 && isInstall(path)) await change()
    },
    after: async (path) => {
      if (isInstall(path) && --left === 0) await change()
    },
  })
  running.push(async () => forwarding.close())
  return forwarding.url
}
