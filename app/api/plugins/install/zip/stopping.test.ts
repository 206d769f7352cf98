import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Actor } from '@/lib/auth/rights'
import { users } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { pluginLock } from '@/lib/installs/history-entries'
import { installPlugin } from '@/lib/installs/install-plugin'
import { installsEnd, stopInstalls } from '@/lib/installs/running-installs'
import { archiveOf, pluginFiles, uploadOf } from '@/lib/testing/archive'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { endProcess } from '@/lib/testing/end-process'
import { call } from '@/lib/testing/request'
import { POST } from './route'

const deps = currentDeps()
endProcess()

const CUSTOMER = {
  EngineEntities: {
    files: {
      'Customer.json': {
        name: 'Customer',
        pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }],
      },
    },
  },
}

const ID = crypto.randomUUID()
const ACTOR = {
  ...{
    type: 'user',
    id: ID,
    userId: ID,
    name: 'ann@example.com',
  },
  ...{ roles: ['ADMIN'], scopes: null, policies: [], address: null, mustChangePassword: false },
} as const

/** An install that waits for its archive until it is given. */
async function beginReading() {
  const archive = Buffer.from(await archiveOf(pluginFiles(CUSTOMER)))
  let finish: (archive: Buffer) => void = () => {}
  const reading = new Promise<Buffer>((resolve) => {
    finish = resolve
  })
  const installing = installPlugin(deps, {
    ...{ loadArchive: () => reading, actor: ACTOR as unknown as Actor },
    ...{ sha256: 'a'.repeat(64), source: 'shop.zip', mode: 'atomic', requestId: 'test' },
  })
  return { installing, finishReading: () => finish(archive) }
}

test('an install whose archive is being read when the server begins to stop may end', async () => {
  await testDeps()
  const { id, name: email } = ACTOR
  await deps.db.insert(users).values({ id, email, roles: ['ADMIN'], status: 'ACTIVATED' })
  const { installing, finishReading } = await beginReading()
  stopInstalls(60_000)
  let isOver = false
  const ended = installsEnd().then(() => {
    isOver = true
  })
  await new Promise(setImmediate)
  expect(isOver).toBe(false)
  finishReading()
  expect(await (await installing).done).toMatchObject({ status: 'SUCCESS' })
  await ended
})

test('an install in flight has its end in the history before the server that stops has closed', async () => {
  await testDeps()
  const body = uploadOf(await archiveOf(pluginFiles(CUSTOMER)))
  await deps.locks.hold(pluginLock('com.example.shop'), 0, async () => {
    const started = await call(deps, POST, {
      method: 'POST',
      path: '/api/plugins/install/zip',
      headers: { prefer: 'respond-async' },
      body,
      as: 'ADMIN',
    })
    expect(started.status).toBe(202)
    stopInstalls(0)
    await installsEnd()
    const found = await rows(deps.db, sql`select status, errors from engine.installs`)
    expect(found).toEqual([
      { status: 'FAILED', errors: [expect.stringContaining('The server was stopped')] },
    ])
  })
})

test('an install that begins after that says that the server stopped', async () => {
  const { installing } = await beginReading()
  await expect(installing).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('The server was stopped'),
    options: { retryAfter: 10 },
  })
})
