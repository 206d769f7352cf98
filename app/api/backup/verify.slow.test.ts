import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { checkBackup } from '@/lib/backup/check-backup'
import { runBackupCommand } from '@/lib/backup/command'
import { requireAuthentic } from '@/lib/backup/encrypted'
import { sessionOf } from '@/lib/backup/open-session'
import { unpack } from '@/lib/backup/pack'
import { requireSame } from '@/lib/backup/require-same'
import { rows } from '@/lib/db/sql'
import { parseEnv } from '@/lib/env'
import { bundleServer } from '@/lib/testing/bundle-script'
import { addressesOf } from '@/lib/testing/database'
import { testsOnCitus, testsOnPostgres, testsThroughPooler } from '@/lib/testing/deps'
import {
  filledInstance,
  folder,
  type Instance,
  type Kind,
  makeInstance,
  stateOf,
} from '../testing/backups'

const KEY = Buffer.alloc(32, 9).toString('base64')
const kind: Kind = testsOnPostgres() ? 'postgres' : 'embedded'
const BACKUP_DIR = join(folder, 'kept')
const FILE = join(BACKUP_DIR, 'engine-2026-01-01T02-30-00Z.tar.enc')

const settingsOf = ({ settings }: Instance, more: Record<string, string> = {}) => ({
  ...settings,
  BACKUP_KEY: KEY,
  BACKUP_DIR,
  ...more,
})

async function command(settings: Record<string, string>, ...args: string[]): Promise<string[]> {
  const lines: string[] = []
  await runBackupCommand(parseEnv(settings), args, (line) => lines.push(line))
  return lines
}

describe.skipIf(testsOnCitus() || testsThroughPooler())('an encrypted backup', () => {
  test('is verified by restoring it, and brings everything back', async () => {
    const source = await filledInstance(kind)
    await mkdir(BACKUP_DIR, { recursive: true })
    await command(settingsOf(source), 'backup', FILE)
    // Neither the server's database nor its secret is needed.
    const elsewhere = { DATA_DIR: join(folder, 'elsewhere'), BACKUP_KEY: KEY, BACKUP_DIR }
    const printed = await command(elsewhere, 'backup', '--verify')
    expect(printed.join()).toMatch(/rows of \d+ tables, 1 images .* restored on trial, the same/)
    expect((await readdir(BACKUP_DIR)).sort()).toEqual([
      basename(FILE),
      `${basename(FILE)}.verified`,
    ])
    expect(await readdir(elsewhere.DATA_DIR)).toEqual([])
    const target = await makeInstance(kind)
    await expect(command(target.settings, 'restore', FILE)).rejects.toThrow('set BACKUP_KEY')
    await command(settingsOf(target), 'restore', FILE)
    expect(await stateOf(target)).toEqual(await stateOf(source))
  })

  test.runIf(testsOnPostgres())('is verified on a server, which keeps nothing of it', async () => {
    const { url } = addressesOf('postgres')
    const settings = settingsOf(await makeInstance('embedded'))
    expect((await command(settings, 'backup', '--verify', FILE, '--in', url)).join()).toContain(
      'the same',
    )
    const { db } = await (await import('@/lib/db/postgres')).openPostgres({ url, poolSize: 1 })
    expect(
      await rows(db, sql`select datname from pg_database where datname like 'engine\\_verify%'`),
    ).toEqual([])
  })

  test('that brings back other rows, or other counters, is told', async () => {
    const source = await filledInstance(kind)
    const content = join(folder, 'content')
    await mkdir(content)
    await unpack(FILE, content, { key: KEY })
    const { manifest } = await checkBackup(content)
    const differs = (statement: string) =>
      source.run(async (deps) => {
        const session = await sessionOf(deps)
        await session.client.query('begin')
        await session.client.query(`alter table entities.part disable trigger user; ${statement}`)
        return requireSame(session.client, manifest)
          .then(
            () => 'the same',
            ({ message }: Error) => message,
          )
          .finally(async () => {
            await session.client.query('rollback')
            await session.close()
          })
      })
    expect(await differs('select 1')).toBe('the same')
    expect(await differs(`update entities.part set amount = 1 where name = 'Part 7'`)).toMatch(
      /"part": restored rows differ/,
    )
    expect(await differs(`delete from entities.part where name = 'Part 7'`)).toMatch(
      /"part": 3002 of 3003 rows/,
    )
    const name = manifest.sequences.find(({ schema }) => schema === 'entities')?.name
    expect(await differs(`select setval('entities."${name}"', 999999)`)).toMatch(/stands at 999999/)
  })

  test.runIf(testsOnPostgres())(
    'whose process is killed is no file, and the next one is',
    async () => {
      const source = await filledInstance(kind)
      const script = await bundleServer('scripts/backup.ts')
      const file = join(BACKUP_DIR, 'killed.tar.enc')
      const settings = settingsOf(source)
      const DATA_DIR = source.settings.DATA_DIR ?? ''
      // Takes the process a while.
      const large = join(DATA_DIR, 'images', 'objects', 'large')
      await writeFile(large, '')
      await truncate(large, 200 * 1024 ** 2)
      const there = async (dir: string, what: RegExp) =>
        (await readdir(dir)).some((name) => what.test(name))
      for (const [dir, what] of [
        [DATA_DIR, /^\.killed\.tar\.enc-/],
        [BACKUP_DIR, /^\.killed\.tar\.enc\..*half$/],
      ] as const) {
        const args = [script, 'backup', file]
        const child = spawn(process.execPath, args, {
          cwd: folder,
          env: { NODE_ENV: 'test', ...settings },
        })
        const ended = once(child, 'exit')
        while (child.exitCode === null && !(await there(dir, what)));
        child.kill('SIGKILL')
        const [, signal] = await ended
        expect(signal).toBe('SIGKILL')
        expect(existsSync(file)).toBe(false)
      }
      await rm(large)
      await command(settings, 'backup', file)
      await requireAuthentic(file, KEY)
      await expect(requireAuthentic(file, undefined)).rejects.toThrow('set BACKUP_KEY')
    },
  )
})
