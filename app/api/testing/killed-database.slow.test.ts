import { afterAll, describe, expect, test } from 'vitest'
import type { Command } from '@/app/api/plugins/testing/engine-child'
import { KillableEngine, type Victim } from '@/app/api/plugins/testing/killable-engine'
import { pluginFiles } from '@/lib/testing/archive'
import { testsOnCitus, testsOnPostgres, testsThroughPooler } from '@/lib/testing/deps'
import { type FakeResend, startFakeResend } from '@/lib/testing/fake-resend'
import { killRounds } from '@/lib/testing/kills'

/** Of each victim; the works take turns, so that three rounds of each kill every one of them at least twice. */
const ROUNDS = killRounds(2, 40)
const VICTIMS: Victim[] = ['server', 'connection', 'both']
const FILES = 4
const RECORDS = 500
const BATCH = 5_000

/** The n-th version of the plugin: another value in every record. */
function versionOf(version: number) {
  const data = (file: number) =>
    Array.from({ length: RECORDS }, (_, n) => ({ id: `${file}-${n}`, version }))
  const entity = {
    name: 'Item',
    pks: [{ key: 'id', strategy: 'Fixed', type: 'string' }],
    insertDuplicate: 'Upsert',
  }
  const properties = [
    { name: 'id', type: 'string' },
    { name: 'version', type: 'integer', meta: { indexed: true } },
  ]
  const files = Array.from({ length: FILES }, (_, n) => [`${n}.json`, data(n)] as const)
  return pluginFiles(
    {
      EngineSchemas: { files: { 'Item.json': { name: 'Item', properties } } },
      EngineEntities: { files: { 'Item.json': entity, 'Mass.json': { name: 'Mass' } } },
      Item: { files: Object.fromEntries(files) },
    },
    { version: String(version) },
  )
}

const isMeant = testsOnPostgres() && !testsOnCitus() && !testsThroughPooler()

describe.runIf(isMeant)('when the database is killed', () => {
  let mailbox: FakeResend
  const times = { install: 0, create: 0, delete: 0, user: 0 }
  const engine = new KillableEngine(
    'database',
    async () => {
      await engine.succeed(await installOf(0))
      times.install = await engine.timeOf(await installOf(1))
      times.create = await engine.timeOf(createOf(-1))
      times.delete = await engine.timeOf(deleteOf(-1))
      times.user = await engine.timeOf({ name: 'add user', email: 'killed-0@example.com' })
    },
    {
      hasServer: true,
      settings: async () => {
        mailbox = await startFakeResend()
        return { RESEND_API_KEY: 're_test', RESEND_BASE_URL: mailbox.url }
      },
    },
  )
  afterAll(() => mailbox?.close())

  const installOf = (version: number) => engine.installOf(versionOf(version), '?mode=atomic')
  const createOf = (round: number): Command => ({
    ...{ name: 'create', entity: 'Mass', count: BATCH, fields: { round } },
  })
  const deleteOf = (round: number): Command => ({
    ...{ name: 'delete', entity: 'Mass' },
    query: [{ field: 'round', operator: 'eq', value: String(round) }],
  })
  const count = async (from: string) =>
    (await engine.sql<{ n: number }>(`select count(*)::int as n from ${from}`))[0]?.n

  /** Kills during a command; expects what is counted to be `all` or none, and all if it had succeeded. */
  async function allOrNone(victim: Victim, command: Command, ms: number, from: string, all = 1) {
    const hasSucceeded = await engine.killDuring(command, ms * 1.2, victim)
    const n = await count(from)
    expect(hasSucceeded ? [all] : [0, all]).toContain(n)
    return n === all
  }

  const WORKS: ((victim: Victim, round: number) => Promise<void>)[] = [
    async (victim, round) => {
      const install = await installOf(round)
      const items = `entities.item where version = ${round}`
      await allOrNone(victim, install, times.install, items, FILES * RECORDS)
      await engine.succeed(install)
      expect(await count(items)).toBe(FILES * RECORDS)
      expect(await count('entities.item')).toBe(FILES * RECORDS)
    },
    async (victim, round) => {
      const mass = `entities.mass where "$extra" ->> 'round' = '${round}'`
      await allOrNone(victim, createOf(round), times.create, mass, BATCH)
    },
    async (victim, round) => {
      const mass = `entities.mass where "$extra" ->> 'round' = '${round}'`
      await engine.succeed(createOf(round))
      const hasSucceeded = await engine.killDuring(deleteOf(round), times.delete * 1.2, victim)
      expect(hasSucceeded ? [0] : [0, BATCH]).toContain(await count(mass))
    },
    async (victim, round) => {
      const email = `killed-${round}@example.com`
      const user = `engine.users where email = '${email}'`
      const isThere = await allOrNone(
        ...([victim, { name: 'add user', email } as const, times.user, user, 1] as const),
      )
      expect(await count(`engine.mails where "to" = '${email}'`)).toBe(isThere ? 1 : 0)
    },
  ]

  let round = 1
  test.each(VICTIMS)(
    `all is done or nothing, and nothing is left to tidy up (%s)`,
    async (victim) => {
      for (let kill = 0; kill < ROUNDS; kill++) {
        round++
        await WORKS[round % WORKS.length]?.(victim, round)
      }
    },
    7_200_000,
  )

  test('each account that was made has got one mail', async () => {
    // As if the waits were over that the kills led to.
    await engine.sql(`update engine.mails set claimed_until = now() where status = 'sending'`)
    await engine.sql(`update engine.mails set next_attempt_at = now() where status = 'queued'`)
    await expect
      .poll(() => count(`engine.mails where status <> 'sent'`), { timeout: 60_000 })
      .toBe(0)
    const made = await engine.sql<{ email: string }>(
      `select email from engine.users where email like 'killed-%'`,
    )
    const received = [...mailbox.delivered.values()].map(({ mail }) => String(mail.to))
    expect(received.sort()).toEqual(made.map(({ email }) => email).sort())
  })
})
