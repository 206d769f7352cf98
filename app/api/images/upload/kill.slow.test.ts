import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { openPglite } from '@/lib/db/pglite'
import { images, storageClaims } from '@/lib/db/schema'
import { settleDueObjects } from '@/lib/images/settle-object'
import { createStorages } from '@/lib/storage/storages'
import { testDeps } from '@/lib/testing/deps'
import { makeNoise } from '@/lib/testing/images'
import { killMoments, killRounds } from '@/lib/testing/kills'
import { type ImageServer, startImageServer, uploadTo } from '../start-test-server'

const ROUNDS = killRounds(2, 50)
const moment = killMoments('upload')

const folder = mkdtempSync(join(tmpdir(), 'engine-kill-'))
afterAll(() => rmSync(folder, { recursive: true }))

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('a server killed at any moment leaves no record without its object and no half file', async () => {
  const files = await Promise.all([200, 250, 300, 350].map(makeNoise))
  const whole = new Set(files.map(hash))
  const acknowledged = new Map<string, string>()
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startImageServer(folder)
    const roundMs = await timeOf(() => uploadOnce(server, 'first', files[0], acknowledged))
    const uploads = [0, 1, 2].map((client) => keepUploading(server, client, files, acknowledged))
    await elapsed(moment() * roundMs)
    await server.kill()
    await Promise.all(uploads)
    for (const path of await publicFiles()) expect(whole).toContain(hash(await readFile(path)))
  }
  expect(acknowledged.size).toBeGreaterThan(0)
  await checkWhatIsLeft(whole, acknowledged)
}, 3_600_000)

/** The moment of the kill is what is drawn by lot here; nothing is waited for. */
const elapsed = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Uploads again and again to a few names, new ones and replacements, until the server is gone. */
async function keepUploading(
  server: ImageServer,
  client: number,
  files: Buffer[],
  acknowledged: Map<string, string>,
): Promise<void> {
  for (let count = 0; ; count++) {
    const file = files[(count + client) % files.length]
    const assetId = `client-${client}-${count % 5}`
    try {
      await uploadOnce(server, assetId, file, acknowledged)
    } catch (error) {
      if (error instanceof TypeError) return // fetch: the connection is gone
      throw error
    }
  }
}

async function uploadOnce(
  server: ImageServer,
  assetId: string,
  file: Buffer | undefined,
  acknowledged: Map<string, string>,
): Promise<void> {
  if (!file) throw new Error('No file')
  acknowledged.delete(assetId) // from here on either content may be there
  const { status } = await uploadTo(server, file, assetId)
  expect(status).toBe(201)
  acknowledged.set(assetId, hash(file))
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function publicFiles(): Promise<string[]> {
  const root = join(folder, 'images', 'objects')
  const all = await readdir(root, { withFileTypes: true }).catch(() => [])
  return all.map(({ name }) => join(root, name))
}

async function checkWhatIsLeft(
  whole: Set<string>,
  acknowledged: Map<string, string>,
): Promise<void> {
  const { db, close } = await openPglite(folder)
  const deps = await testDeps({ DATA_DIR: folder })
  Object.assign(deps, { db, storage: createStorages(deps.settings) })
  const kept = await db.select().from(images)
  for (const { publicId, storageKey, sha256 } of kept) {
    const stored = hash(await readFile(join(folder, 'images', 'objects', storageKey)))
    expect(stored).toBe(sha256)
    expect(whole).toContain(stored)
    expect(acknowledged.get(publicId) ?? stored).toBe(stored)
  }
  expect(kept.map(({ publicId }) => publicId)).toEqual(
    expect.arrayContaining([...acknowledged.keys()]),
  )
  await db.update(storageClaims).set({ dueAt: sql`now() - interval '1 minute'` })
  await settleDueObjects(deps)
  expect(await db.select().from(storageClaims)).toEqual([])
  expect(await publicFiles()).toHaveLength(kept.length)
  await close()
}
