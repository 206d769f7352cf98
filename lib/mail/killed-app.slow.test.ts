import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPglite } from '@/lib/db/pglite'
import { openPostgres } from '@/lib/db/postgres'
import { mails, users } from '@/lib/db/schema'
import type { Database } from '@/lib/db/sql'
import { bundleScript, QUICK_START } from '@/lib/testing/bundle-script'
import { type Behaviour, type FakeResend, startFakeResend } from '@/lib/testing/fake-resend'
import { killMoments, killRounds } from '@/lib/testing/kills'
import { onServer } from '@/lib/testing/on-server'

const KILLS = killRounds(5, 100)
const moment = killMoments('mail')
const server = process.env.TEST_DATABASE_URL
const folder = mkdtempSync(join(tmpdir(), 'engine-killed-'))
const name = `engine_killed_${crypto.randomUUID().replaceAll('-', '')}`
let fake: FakeResend
let bundle: string

beforeAll(async () => {
  fake = await startFakeResend()
  bundle = await bundleScript('lib/testing/mail-app.ts')
  if (server) await onServer(server, `create database ${name}`)
})
afterAll(async () => {
  await fake.close()
  rmSync(folder, { recursive: true, force: true })
  if (server) await onServer(server, `drop database if exists ${name} with (force)`)
})

const databaseUrl = () => (server ? new URL(`/${name}`, server).href : '')

/** Starts the app and waits until it has made a user, or with `--drain` until all mails are sent. */
async function startApp(...flags: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...QUICK_START, bundle, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NEXTAUTH_SECRET: 'a secret for tests, 32 characters',
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl(),
      RESEND_API_KEY: 're_test',
      RESEND_BASE_URL: fake.url,
      LOG_LEVEL: 'silent',
    },
  })
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return child
}

async function killAfter(child: ChildProcess, ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const TROUBLE: Behaviour[] = [
  { status: 500 },
  { status: 429, retryAfter: '1' },
  'hang',
  'accept and reset',
  'accept and hang',
  'accept',
  'accept',
]
const someTrouble = () =>
  Array.from({ length: 12 }, (_, n) => TROUBLE[n % TROUBLE.length] ?? 'accept')

const open = (): Promise<Database> =>
  server ? openPostgres({ url: databaseUrl(), poolSize: 2 }) : openPglite(folder)

test(`no mail is lost and none comes twice when the app is killed ${KILLS} times`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    fake.behaviours.splice(0, Infinity, ...someTrouble())
    await killAfter(await startApp(), moment() * 300)
  }
  fake.behaviours.length = 0
  const last = await startApp('--drain')
  if (last.exitCode === null) await once(last, 'exit')
  expect(last.exitCode).toBe(0)

  const { db, close } = await open()
  const created = await db.select({ email: users.email }).from(users)
  const outbox = await db.select().from(mails)
  await close()
  const received = [...fake.delivered.values()].map(({ mail }) => mail.to)
  expect(created.length).toBeGreaterThanOrEqual(KILLS)
  expect(received.sort()).toEqual(created.map(({ email }) => email).sort())
  expect(outbox.map(({ to }) => to).sort()).toEqual(received)
  expect(new Set(outbox.map(({ status, body }) => `${status} ${body}`))).toEqual(
    new Set(['sent null']),
  )
}, 3_600_000)
