import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openPglite } from '@/lib/db/pglite'
import { openPostgres } from '@/lib/db/postgres'
import { mails, users } from '@/lib/db/schema'
import type { Database } from '@/lib/db/sql'
import { bundleServer, QUICK_START } from '@/lib/testing/bundle-script'
import { LOCALHOST } from '@/lib/testing/certificates'
import { type Behaviour, startFakeResend } from '@/lib/testing/fake-resend'
import { killMoments, killRounds } from '@/lib/testing/kills'
import { type Behaviour as MailServerBehaviour, startMailServer } from '@/lib/testing/mail-server'
import { onServer } from '@/lib/testing/on-server'

const KILLS = killRounds(2, 100)
const moment = killMoments('mail')
const server = process.env.TEST_DATABASE_URL
let folder: string
let name: string
let bundle: string

beforeAll(async () => {
  bundle = await bundleServer('lib/testing/mail-app.ts')
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'engine-killed-'))
  name = `engine_killed_${crypto.randomUUID().replaceAll('-', '')}`
  if (server) await onServer(server, `create database ${name}`)
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  if (server) await onServer(server, `drop database if exists ${name} with (force)`)
})

const databaseUrl = () => (server ? new URL(`/${name}`, server).href : '')

/** What delivers the mails, and what comes to mailboxes. */
type Way = {
  env: Record<string, string>
  plant: () => void
  clear: () => void
  recipients: () => unknown[]
  close: () => Promise<void>
}

async function byResend(): Promise<Way> {
  const fake = await startFakeResend()
  return {
    env: { RESEND_API_KEY: 're_test', RESEND_BASE_URL: fake.url },
    plant: () => void fake.behaviours.splice(0, Infinity, ...someOf(TROUBLE)),
    clear: () => void fake.behaviours.splice(0),
    recipients: () => [...fake.delivered.values()].map(({ mail }) => mail.to),
    close: fake.close,
  }
}

async function bySmtp(): Promise<Way> {
  const mails = await startMailServer()
  const trusted = join(folder, 'trusted.pem')
  writeFileSync(trusted, LOCALHOST.cert)
  return {
    env: {
      SMTP_URL: `smtp://localhost:${mails.port}`,
      MAIL_FROM: 'engine@example.com',
      NODE_EXTRA_CA_CERTS: trusted,
    },
    plant: () => void mails.behaviours.splice(0, Infinity, ...someOf(SMTP_TROUBLE)),
    clear: () => void mails.behaviours.splice(0),
    // A mailbox keeps one of those with the same `Message-ID`.
    recipients: () => [...new Map(mails.received.map(({ id, to }) => [id, to])).values()],
    close: mails.close,
  }
}

/** Starts the app and waits until it has made a user, or with `--drain` until all mails are sent. */
async function startApp(way: Way, ...flags: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...QUICK_START, bundle, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NEXTAUTH_SECRET: 'a secret for tests, 32 characters',
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl(),
      LOG_LEVEL: 'silent',
      ...way.env,
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
const SMTP_TROUBLE: MailServerBehaviour[] = [
  { at: 'sender', code: 451, text: '4.3.0 Try later' },
  { at: 'end', does: 'cut' },
  { at: 'content', does: 'cut' },
  { at: 'end', does: 'hang' },
  { at: 'greeting', does: 'cut' },
]
const someOf = <T>(trouble: readonly T[]): T[] =>
  Array.from({ length: 12 }, (_, n) => trouble[n % trouble.length] as T)

const open = (): Promise<Database> =>
  server ? openPostgres({ url: databaseUrl(), poolSize: 2 }) : openPglite(folder)

test.each([
  ['Resend', byResend],
  ['a mail server', bySmtp],
] as const)(
  `with %s no mail is lost and none comes twice when the app is killed ${KILLS} times`,
  async (_, start) => {
    const way = await start()
    for (let kill = 0; kill < KILLS; kill++) {
      way.plant()
      await killAfter(await startApp(way), moment() * 300)
    }
    way.clear()
    const last = await startApp(way, '--drain')
    if (last.exitCode === null) await once(last, 'exit')
    expect(last.exitCode).toBe(0)
    await way.close()

    const { db, close } = await open()
    const created = await db.select({ email: users.email }).from(users)
    const outbox = await db.select().from(mails)
    await close()
    const received = way.recipients()
    expect(created.length).toBeGreaterThanOrEqual(KILLS)
    expect(received.sort()).toEqual(created.map(({ email }) => email).sort())
    expect(outbox.map(({ to }) => to).sort()).toEqual(received)
    expect(new Set(outbox.map(({ status, body }) => `${status} ${body}`))).toEqual(
      new Set(['sent null']),
    )
  },
  3_600_000,
)
