import { afterAll, describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { testsOnPostgres } from '@/lib/testing/deps'
import { type FakeResend, startFakeResend } from '@/lib/testing/fake-resend'
import { Instances, KEY } from './testing/instances'

const ASYNC = { prefer: 'respond-async' }

/** A version of a plugin with so many files, one record in each, which names the version. */
const things = (version: string, count: number) => {
  const files = Array.from({ length: count }, (_, id) => [`${id}.json`, { id, version }])
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  const manifest = { target: 'Thing', insertDuplicate: 'Upsert' }
  return pluginFiles(
    {
      EngineEntities: { files: { 'Thing.json': { name: 'Thing', pks } } },
      Thing: { manifest, files: Object.fromEntries(files) },
    },
    { id: 'com.example.things', version },
  )
}

describe.runIf(testsOnPostgres())('two instances under load', () => {
  let mailbox: FakeResend
  const instances = new Instances().start(async () => {
    mailbox = await startFakeResend()
    return { RESEND_API_KEY: 're_test', RESEND_BASE_URL: mailbox.url }
  })
  afterAll(() => mailbox?.close())

  const historyOf = async (n: number, id: number) =>
    (await instances.ask(n, 'GET', `/api/plugins/history/${id}`)).body.data[0]

  /** Of all things, by either instance. */
  const versions = async () =>
    (await instances.send({ path: '/api/entities/Thing?size=1000', key: KEY })).body.data.map(
      ({ version }: { version: string }) => version,
    )

  /** The events of an install as one instance sends them, to the last one. */
  async function eventsOf(n: number, id: number): Promise<string[]> {
    const path = `/api/plugins/history/${id}/events`
    const text = await (await instances.at(n).open({ path, key: KEY })).text()
    return [...text.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name)
  }

  test('follow an install of each other, and let one at a time change a plugin', () =>
    instances.underLoad(async () => {
      const [first, second] = await Promise.all([
        instances.upload(0, things('1.0.0', 30), ASYNC),
        instances.upload(1, things('1.1.0', 30), ASYNC),
      ])
      expect([first.status, second.status]).toEqual([202, 202])
      const ids = [first, second].map(({ body }) => body.data.history as number)
      for (const events of await Promise.all(ids.map((id, n) => eventsOf(n + 1, id)))) {
        expect(events.filter((name) => name === 'file')).toHaveLength(31)
        expect(events.at(-1)).toBe('result')
      }
      for (const [n, id] of ids.entries())
        expect(await historyOf(n, id)).toMatchObject({ status: 'SUCCESS', failedCount: 0 })
      expect(new Set(await versions())).toHaveProperty('size', 1)
    }))

  test('carry out dry runs one after the other', () =>
    instances.underLoad(async () => {
      const replies = await Promise.all(
        [0, 1, 2, 3].map(async (n) => instances.upload(n, things('2.0.0', 5), {}, '?dryRun=true')),
      )
      for (const { status, body } of replies) expect([status, body.error]).toEqual([200, undefined])
    }))

  test('send each mail once', () =>
    instances.underLoad(async () => {
      const emails = Array.from({ length: 24 }, (_, n) => `user${n}@example.com`)
      for (const [n, email] of emails.entries()) {
        const body = { email, roles: ['VIEWER'], profile: {} }
        const path = '/api/users/init?generatePassword=true'
        expect((await instances.ask(n, 'POST', path, body)).status).toBe(200)
      }
      await expect.poll(() => mailbox.delivered.size).toBe(emails.length)
      const sent = [...mailbox.delivered.values()]
      expect(sent.map(({ mail }) => String(mail.to)).sort()).toEqual([...emails].sort())
      expect(sent.every(({ requests }) => requests === 1)).toBe(true)
    }))

  test('build an index once, which both know', () =>
    instances.underLoad(async () => {
      const index = { fields: [{ field: 'step', use: 'sort', direction: 'asc' }] }
      const path = '/api/entities/Loaded/indexes'
      expect((await instances.ask(0, 'POST', path, index)).status).toBeLessThan(300)
      for (const n of [1, 0]) {
        const states = async () =>
          (await instances.ask(n, 'GET', '/api/entities/Loaded/advice')).body.meta.indexes.map(
            ({ state }: { state: string }) => state,
          )
        await expect.poll(states).toEqual(['ready'])
      }
    }))

  test('are replaced one after the other without a request that fails', () =>
    instances.underLoad(async () => {
      for (const _ of [0, 1]) {
        instances.servers.push(await instances.another())
        expect(await instances.servers.shift()?.stop()).toBe(0)
      }
    }))

  test('take over what a killed one leaves', async () => {
    const { body } = await instances.upload(1, things('3.0.0', 400), ASYNC)
    const path = `/api/plugins/history/${body.data.history}/events`
    const stream = await instances.at(1).open({ path, key: KEY })
    await stream.body?.getReader().read()
    await instances.at(1).kill()
    instances.servers.pop()
    await instances.underLoad(async () => {
      await instances.install(0, things('3.1.0', 30))
      expect((await versions()).filter((version: string) => version === '3.1.0')).toHaveLength(30)
      expect((await historyOf(0, body.data.history)).status).not.toBe('IN_PROGRESS')
    })
  })
})
