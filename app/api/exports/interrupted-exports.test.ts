import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { backgroundExports } from '@/lib/db/schema'
import { addPart, type Claimed, claimExport } from '@/lib/export/jobs/store'
import { startExports } from '@/lib/export/start-exports'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { addWaiting, exportsOfUser, installThings, partsIn } from './testing/exports-api'

const deps = freshDeps()
beforeEach(() => installThings(deps))

const claim = async () => (await claimExport(deps.db, crypto.randomUUID())) as Claimed
const part = { position: 0, bytes: Buffer.from('half of a'), doneRows: 1 }
const letLeaseEnd = () =>
  deps.db.update(backgroundExports).set({ dueAt: sql`now() - interval '1 second'` })

test('two processes never take up the same export', async () => {
  const { ownerId } = await exportsOfUser(deps)
  const id = await addWaiting(deps, { ownerId })
  const claims = await Promise.all(Array.from({ length: 4 }, claim))
  expect(claims.filter(Boolean)).toMatchObject([{ id, status: 'RUNNING', attempts: 1 }])
})

test('what a dead process left is taken up again from the beginning; the dead one writes nothing more', async () => {
  const mine = await exportsOfUser(deps)
  const id = await addWaiting(deps, { ownerId: mine.ownerId })
  const dead = await claim()
  expect(await addPart(deps.db, dead, part)).toBe(true)
  await startExports(deps)
  expect(await mine.read(id)).toMatchObject({ status: 'RUNNING', doneRows: 1 })
  await letLeaseEnd()
  await startExports(deps)
  expect(await mine.read(id)).toMatchObject({ status: 'READY', doneRows: 3 })
  expect(await addPart(deps.db, dead, { ...part, position: 1 })).toBe(false)
  expect((await mine.download(id)).text).toMatch(/^id,title,size/)
})

test('an export whose process died three times fails and says so', async () => {
  const mine = await exportsOfUser(deps)
  const id = await addWaiting(deps, { ownerId: mine.ownerId })
  for (let death = 0; death < 3; death++) {
    await claim()
    await letLeaseEnd()
  }
  await startExports(deps)
  expect(await mine.read(id)).toMatchObject({
    ...{ status: 'FAILED', error: expect.stringContaining('ended three times') },
  })
})

test.each(['cancel', 'remove'] as const)('after %s its run writes nothing more', async (act) => {
  const mine = await exportsOfUser(deps)
  const id = await addWaiting(deps, { ownerId: mine.ownerId })
  const run = await claim()
  await addPart(deps.db, run, part)
  expect((await mine[act](id)).status).toBe(200)
  expect(await addPart(deps.db, run, { ...part, position: 1 })).toBe(false)
  expect(await partsIn(deps)).toBe(0)
})

test('a file that would be too large fails, says what to do and keeps nothing', async () => {
  await testDeps({ MAX_EXPORT_BYTES: '20' })
  await installThings(deps)
  const mine = await exportsOfUser(deps)
  const id = await mine.prepare()
  expect(await mine.read(id)).toMatchObject({
    ...{ status: 'FAILED', bytes: 0, error: expect.stringContaining('larger than 20 bytes') },
  })
  expect(await partsIn(deps)).toBe(0)
})

test('what the server fails at is tried again later, three times in all', async () => {
  const mine = await exportsOfUser(deps)
  const id = await addWaiting(deps, { ownerId: mine.ownerId })
  await deps.db.execute(sql`alter table entities.thing rename to elsewhere`)
  for (const status of ['WAITING', 'WAITING', 'FAILED']) {
    await startExports(deps)
    expect(await mine.read(id)).toMatchObject({ status })
    await letLeaseEnd()
  }
  const [row] = await deps.db.select().from(backgroundExports).where(eq(backgroundExports.id, id))
  expect(row?.error).toContain('try again')
  await deps.db.execute(sql`alter table entities.elsewhere rename to thing`)
})
