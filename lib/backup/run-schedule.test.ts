import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { parseEnv } from '@/lib/env'
import { createLog } from '@/lib/log'
import { metrics } from '@/lib/metrics/metrics'
import { freshDeps, testDeps, testsOnCitus } from '@/lib/testing/deps'
import { startS3 } from '@/lib/testing/s3'
import { runBackupCommand } from './command'
import { runSchedule } from './run-schedule'

const deps = freshDeps()
const KEY = Buffer.alloc(32, 7).toString('base64')
let folder: string
let lines: string[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'engine-schedule-'))
  // Where backups that are written have their folders, too.
  const [DATA_DIR, BACKUP_DIR] = [folder, join(folder, 'backups')]
  mkdirSync(BACKUP_DIR)
  await testDeps({ DATA_DIR, BACKUP_DIR, BACKUP_SCHEDULE: '02:30', BACKUP_KEY: KEY })
  lines = []
  deps.log = createLog('error', { write: (line) => void lines.push(line) })
})
afterEach(() => rmSync(folder, { recursive: true }))

const files = () => readdirSync(join(folder, 'backups')).sort()
const audited = (action: string) =>
  rows<{ name: string; bytes: number | null }>(
    deps.db,
    sql`select object_id as name, (details ->> 'bytes')::int as bytes from engine.audit_log where action = ${action}`,
  )

test.skipIf(testsOnCitus())(
  'what is due is made once, encrypted, known, and verified',
  async () => {
    await runSchedule(deps)
    expect(lines).toEqual([])
    const [file = '', ...rest] = files()
    expect(rest).toEqual([])
    const content = readFileSync(join(folder, 'backups', file))
    expect(content.subarray(0, 8).toString()).toBe('ENGBAK1\n')
    expect(content.includes('manifest.json')).toBe(false)
    expect(await audited('backup.write')).toEqual([{ name: file, bytes: content.length }])
    const mark = join(folder, 'backups', `${file}.verified`)
    writeFileSync(mark, '{"verifiedAt":')
    await runSchedule(deps)
    expect(await audited('backup.verify')).toEqual([])
    const shown = () =>
      metrics().registry.getSingleMetricAsString('engine_backup_timestamp_seconds')
    expect(await shown()).toMatch(/what="written"\} 1[\d.]{9,}/)
    expect(await shown()).toMatch(/what="verified"\} 0/)
    writeFileSync(mark, JSON.stringify({ verifiedAt: new Date().toISOString() }))
    for (let round = 0; round < 2; round++) await runSchedule(deps)
    expect(await audited('backup.verify')).toEqual([{ name: file, bytes: null }])
    expect(await shown()).toMatch(/what="verified"\} 1[\d.]{9,}/)
    expect(files()).toEqual([file, `${file}.verified`])
  },
)

test.skipIf(testsOnCitus())(
  'one of several servers makes it, and removes old ones and halves that a killed one left, nothing else',
  async () => {
    const place = (name: string) => writeFileSync(join(folder, 'backups', name), '')
    const kept = ['engine-2024-01-31T02-30-00Z.tar.enc', 'mine.tar', '.mine.half']
    const old = 'engine-2024-01-30T02-30-00Z.tar.enc'
    for (const name of [...kept, old, `${old}.verified`]) place(name)
    place('.engine-2026-01-01T02-30-00Z.tar.enc.0a1b2c3d.half')
    deps.settings.BACKUP_KEEP = { days: 2, weeks: 0, months: 0 }
    // Each has a database object of its own, as in a process of its own.
    const others = Array.from({ length: 3 }, () => ({ ...deps, db: Object.create(deps.db) }))
    await Promise.all([deps, ...others].map((server) => runSchedule(server)))
    expect(lines).toEqual([])
    const [made] = await audited('backup.write')
    expect(await audited('backup.write')).toHaveLength(1)
    expect(files()).toEqual([...kept, made?.name].sort())
  },
)

test.skipIf(testsOnCitus())('the same in a bucket', async () => {
  const s3 = await startS3({ key: 'key', secret: 'word' })
  try {
    deps.settings.BACKUP_S3_URL = parseEnv({
      BACKUP_S3_URL: `${s3.origin.replace('//', '//key:word@')}/bucket/engine`,
    }).BACKUP_S3_URL
    deps.settings.BACKUP_KEEP = { days: 1, weeks: 0, months: 0 }
    const old = 'engine/engine-2024-01-30T02-30-00Z.tar.enc'
    for (const name of [old, `${old}.verified`]) s3.objects.set(name, Buffer.from('{}'))
    await runSchedule(deps)
    expect(lines).toEqual([])
    const [[name = '', content] = [], ...rest] = [...s3.objects]
    expect(rest).toEqual([])
    expect(content?.subarray(0, 8).toString()).toBe('ENGBAK1\n')
    const file = name.slice('engine/'.length)
    expect(await audited('backup.write')).toEqual([{ name: file, bytes: content?.length }])
    const printed: string[] = []
    await runBackupCommand(deps.settings, ['backup', '--verify'], (line) => printed.push(line))
    expect(printed.join()).toContain(`${file}: `)
    await runSchedule(deps)
    expect(await audited('backup.verify')).toEqual([{ name: file, bytes: null }])
    expect(files()).toEqual([])
  } finally {
    s3.close()
  }
})

test('a folder that is not there is said, not made, and not tried again at once', async () => {
  rmSync(join(folder, 'backups'), { recursive: true })
  await runSchedule(deps)
  expect(lines.join()).toMatch(/"job":"backup".*ENOENT.*the backup was not made/)
  mkdirSync(join(folder, 'backups'))
  await runSchedule(deps)
  expect(files()).toEqual([])
  expect(lines).toHaveLength(1)
  expect(await audited('backup.write')).toEqual([])
})
