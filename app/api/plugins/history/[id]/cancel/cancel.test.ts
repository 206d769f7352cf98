import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { historyOf, logsOf, upload } from '@/app/api/plugins/testing/plugin-api'
import { auditLog, installs } from '@/lib/db/schema'
import { rows } from '@/lib/db/sql'
import { InstallClosedError, insertFileReports } from '@/lib/installs/file-report'
import { closeCancelled, installLock, pluginLock } from '@/lib/installs/history-entries'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { POST } from './route'

const deps = freshDeps()

/** More than are copied together. */
const FILES = 800
const THING = { name: 'Thing', pks: [{ key: 'code', strategy: 'Fixed', type: 'string' }] }
const data = Object.fromEntries(
  Array.from({ length: FILES }, (_, at) => [`${at}.json`, [{ code: `t${at}` }]]),
)
const PLUGIN = pluginFiles({
  EngineEntities: { files: { 'Thing.json': THING } },
  Thing: { files: data },
})

const headers = { prefer: 'respond-async' }
const begin = async (query = ''): Promise<number> =>
  (await upload(deps, PLUGIN, { headers, query })).body.data.history

const cancel = (id: number, as = 'ADMIN') =>
  call(deps, POST, {
    ...{ method: 'POST', path: `/api/plugins/history/${id}/cancel`, as },
    params: { id: String(id) },
  })

const recordsIn = async () =>
  Number(
    (await rows<{ n: string }>(deps.db, sql`select count(*)::text as n from entities.thing`))[0]?.n,
  )

/** Until the install has released its lock. */
const untilEnded = (id: number) =>
  expect.poll(() => deps.locks.isHeld(installLock(id)), { timeout: 10_000 }).toBe(false)

test('files that were installed before stay, and nothing is written after', async () => {
  const id = await begin()
  await expect
    .poll(async () => (await historyOf(deps, id)).processedFiles, { interval: 5 })
    .toBeGreaterThan(2)
  const cancelled = await cancel(id)
  expect(cancelled.status).toBe(200)
  expect(cancelled.body.data[0]).toMatchObject({ status: 'PARTIAL', cancelledBy: 'test' })
  await untilEnded(id)
  const logs = await logsOf(deps, id)
  const kept = logs.filter(({ path, status }) => path.startsWith('Thing/') && status === 'created')
  expect(logs).toHaveLength(FILES + 1)
  expect(await recordsIn()).toBe(kept.length)
  expect(kept.length).toBeLessThan(FILES)
  expect(logs.at(-1)).toMatchObject({ status: 'failed', error: 'Cancelled' })
})

test('an atomic install leaves nothing', async () => {
  const id = await begin('?mode=atomic')
  expect((await cancel(id)).body.data[0]).toMatchObject({ status: 'FAILED', cancelledBy: 'test' })
  await untilEnded(id)
  expect(await historyOf(deps, id)).toMatchObject({ status: 'FAILED', successCount: 0 })
  expect(await rows(deps.db, sql`select 1 from engine.entities where name = 'Thing'`)).toEqual([])
})

test('one that waits for its turn is cancelled, once, and is audited', async () => {
  await deps.locks.hold(pluginLock('com.example.shop'), 0, async () => {
    const id = await begin()
    expect((await cancel(id)).body.data[0]).toMatchObject({ status: 'FAILED', cancelledBy: 'test' })
    await untilEnded(id)
    expect((await cancel(id)).status).toBe(200)
    expect((await historyOf(deps, id)).errors).toEqual([
      'Cancelled by test: files that were installed before stay',
    ])
  })
  const found = await deps.db.select().from(auditLog).where(eq(auditLog.action, 'plugins.cancel'))
  expect(found).toMatchObject([{ objectType: 'plugin', objectId: 'com.example.shop' }])
})

const RUNNING: typeof installs.$inferInsert = {
  ...{ source: 'a.zip', sha256: '', status: 'IN_PROGRESS', totalFiles: 1 },
  planned: [{ path: 'a.json', target: null }],
}

test('that of another process is closed, and can write nothing more', async () => {
  const [install] = await deps.db.insert(installs).values(RUNNING).returning()
  const id = install?.id as number
  await deps.locks.hold(installLock(id), 0, async () => {
    expect((await cancel(id)).body.data[0]).toMatchObject({ status: 'FAILED', cancelledBy: 'test' })
  })
  await expect(insertFileReports(deps.db, id, [])).rejects.toThrow(InstallClosedError)
})

test('an install ends within seconds when another process has cancelled it', async () => {
  await deps.locks.hold(pluginLock('com.example.shop'), 0, async () => {
    const id = await begin()
    await deps.db.transaction((tx) => closeCancelled(tx, { id, mode: 'partial' }, 'bob'))
    await untilEnded(id)
    expect(await historyOf(deps, id)).toMatchObject({ status: 'FAILED', cancelledBy: 'bob' })
  })
})

test('what is over is not cancelled', async () => {
  const done = await upload(
    deps,
    pluginFiles({ EngineEntities: { files: { 'Thing.json': THING } } }),
  )
  expect((await cancel(done.body.data.history)).status).toBe(409)
  expect((await cancel(999)).status).toBe(404)
})
