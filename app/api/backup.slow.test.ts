import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { runBackupCommand } from '@/lib/backup/command'
import { one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { parseEnv } from '@/lib/env'
import { testsOnCitus, testsOnPostgres, testsThroughPooler } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET as COMMENTS } from './entities/[entityName]/[id]/comments/route'
import { readRecords, readTrash, restore as restoreTrash } from './plugins/testing/uninstall-api'
import {
  filledInstance,
  folder,
  type Instance,
  type Kind,
  makeInstance,
  stateOf,
  storedImage,
} from './testing/backups'

const backUp = (from: Instance, file: string) => command(from, 'backup', file)
const restore = (to: Instance, file: string, ...more: string[]) =>
  command(to, 'restore', file, ...more)

async function command({ settings }: Instance, ...args: string[]): Promise<string[]> {
  const lines: string[] = []
  await runBackupCommand(parseEnv(settings), args, (line) => lines.push(line))
  return lines
}

/** How many comments the first record has. */
async function readComments(deps: Deps, entityName: string): Promise<number> {
  const path = `/api/entities/${entityName}/1/comments`
  const params = { entityName, id: '1' }
  return (await call(deps, COMMENTS, { path, as: 'ADMIN', params })).body.pagination.total
}

const WAYS: [Kind, Kind][] = testsOnPostgres()
  ? [
      ['postgres', 'postgres'],
      ['embedded', 'postgres'],
      ['postgres', 'embedded'],
    ]
  : [['embedded', 'embedded']]

describe.skipIf(testsOnCitus() || testsThroughPooler())('a backup', () => {
  let file: string
  beforeEach(() => {
    file = join(folder, `${crypto.randomUUID()}.tar`)
  })

  test.each(WAYS)('from %s to %s brings everything back', async (from, to) => {
    const source = await filledInstance(from)
    await backUp(source, file)
    const target = await makeInstance(to)
    const printed = await restore(target, file)
    expect(printed.filter((line) => line.startsWith('Warning'))).toEqual([])
    expect(await stateOf(target)).toEqual(await stateOf(source))
    const original = await source.run(storedImage)
    await target.run(async (deps) => {
      expect((await readRecords(deps, 'Part')).body.pagination.total).toBe(3_003)
      expect(await storedImage(deps)).toEqual(original)
      const batches = await readTrash(deps)
      expect(batches).toHaveLength(2)
      for (const { batchId } of batches)
        expect((await restoreTrash(deps, batchId)).status).toBe(200)
      expect((await readRecords(deps, 'Loan')).body.pagination.total).toBe(1)
      for (const entity of ['Loan', 'Book']) expect(await readComments(deps, entity)).toBe(1)
      expect((await readRecords(deps, 'Book')).body.pagination.total).toBe(3)
    })
  })

  const kind = testsOnPostgres() ? 'postgres' : 'embedded'
  const kinds: Kind[] = testsOnPostgres() ? ['postgres', 'embedded'] : ['embedded']

  test.each(kinds)(
    'of %s replaces what is there only when it is told to, and in one step',
    async (kind) => {
      const source = await filledInstance(kind)
      await backUp(source, file)
      const before = await stateOf(source)
      await source.run((deps) => deps.db.execute(sql`delete from entities.part`))
      await expect(restore(source, file)).rejects.toThrow(/not empty.*--replace/)
      await restore(source, file, '--replace')
      expect(await stateOf(source)).toEqual(before)
    },
  )

  test('that is damaged is refused before anything is changed', async () => {
    const source = await filledInstance(kind)
    await backUp(source, file)
    const before = await stateOf(source)
    const { pack, unpack } = await import('@/lib/backup/pack')
    const opened = join(folder, crypto.randomUUID())
    await mkdir(opened)
    await unpack(file, opened)
    const path = join(opened, 'data', '0.copy.gz')
    const content = gunzipSync(await readFile(path))
    await writeFile(path, gzipSync(Buffer.concat([content, Buffer.from('x\n')])))
    const damaged = `${file}.damaged`
    await pack(opened, damaged)
    await expect(restore(source, damaged, '--replace')).rejects.toThrow(
      /data\/0\.copy\.gz is damaged/,
    )
    await rm(join(opened, 'structure.json'))
    await rm(damaged)
    await pack(opened, damaged)
    await expect(restore(source, damaged, '--replace')).rejects.toThrow(
      /structure\.json is damaged or missing/,
    )
    expect(await stateOf(source)).toEqual(before)
  })

  test('leaves no file when it fails, and never writes over one', async () => {
    const source = await makeInstance(kind)
    await source.run(async () => {})
    await writeFile(file, 'mine')
    await expect(backUp(source, file)).rejects.toThrow(/exists/)
    expect(await readFile(file, 'utf8')).toBe('mine')
    const { DATABASE_URL: _, ...rest } = source.settings
    const empty = { ...source, settings: { ...rest, DATA_DIR: join(folder, 'nothing') } }
    await expect(backUp(empty, `${file}.2`)).rejects.toThrow(/nothing to back up/)
    expect(existsSync(`${file}.2`)).toBe(false)
    expect(existsSync(join(folder, 'nothing'))).toBe(false)
  })

  test.each(kinds)('of %s says which server is in the way', async (kind) => {
    const source = await filledInstance(kind)
    await backUp(source, file)
    await source.run(async ({ db }) => {
      await db.execute(sql`select 1`)
      await expect(restore(source, file, '--replace')).rejects.toThrow(
        kind === 'embedded' ? /is open in process/ : /Servers of Engine use the database/,
      )
      expect(
        one(await rows<{ n: number }>(db, sql`select count(*)::int n from entities.part`)).n,
      ).toBe(3_003)
    })
  })

  test.runIf(testsOnPostgres())('moves everything to PostgreSQL in one command', async () => {
    const source = await filledInstance('embedded')
    const target = await makeInstance('postgres')
    await command(source, 'export', '--to', target.settings.DATABASE_URL ?? '')
    expect(await stateOf(target)).toEqual(await stateOf(source))
  })
})
