import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { runBackupCommand } from './command'
import { sessionOf } from './open-session'
import { withOperatorsHere } from './operators-here'
import { runSchedule } from './run-schedule'

const folder = mkdtempSync(join(tmpdir(), 'engine-operators-'))
const deps = freshDeps({
  ...{ DATA_DIR: folder, BACKUP_DIR: folder, BACKUP_SCHEDULE: '02:30' },
  BACKUP_KEY: Buffer.alloc(32, 5).toString('base64'),
})

const moveTo = (schema: string) =>
  deps.db.execute(sql.raw(`alter extension pg_trgm set schema ${schema}`))
afterEach(() => moveTo('public'))
afterAll(() => rmSync(folder, { recursive: true }))

test.skipIf(testsOnCitus())(
  'a database whose role is called engine is restored where none is',
  async () => {
    const schema = { properties: [{ name: 'title', type: 'string', searchable: true }] }
    await installTestEntity(deps, { entity: { name: 'Book' }, schema }, [{ title: 'Emma' }])
    await moveTo('engine')
    await runSchedule(deps)
    const printed: string[] = []
    await runBackupCommand(deps.settings, ['backup', '--verify'], (line) => printed.push(line))
    expect(printed.join()).toContain('restored on trial, the same')
  },
)

test('indexes alone get the operators of the database that they are restored in', async () => {
  await moveTo('engine')
  const session = await sessionOf(deps)
  const index =
    'CREATE INDEX i ON entities.book USING gin (title public.gin_trgm_ops, n "O""k".gin_trgm_ops)'
  const rule = `alter table entities.book add constraint c check (title <> ' public.gin_trgm_ops)')`
  expect(await withOperatorsHere(session.client, [index, rule])).toEqual([
    'CREATE INDEX i ON entities.book USING gin (title engine.gin_trgm_ops, n engine.gin_trgm_ops)',
    rule,
  ])
  await session.close()
})
