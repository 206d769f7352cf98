import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Command } from '@/app/api/plugins/testing/engine-child'
import { KillableEngine } from '@/app/api/plugins/testing/killable-engine'
import { pluginFiles } from '@/lib/testing/archive'
import { killRounds } from '@/lib/testing/kills'

const KILLS = killRounds(2, 30)
const ROWS = 20_000
const PLUGIN = pluginFiles({
  EngineEntities: { files: { 'Row.json': { name: 'Row' } } },
  EngineSchemas: {
    files: { 'Row.json': { name: 'Row', properties: [{ name: 'name', type: 'string' }] } },
  },
})

let load: Command
let importMs = 0

const engine = new KillableEngine('import', async () => {
  await engine.succeed(await engine.installOf(PLUGIN))
  const file = join(engine.home.folder, 'rows.csv')
  writeFileSync(file, `name\n${Array.from({ length: ROWS }, (_, n) => `name ${n}\n`).join('')}`)
  load = { name: 'import', entity: 'Row', file, url: 'partial=true' }
  importMs = await engine.timeOf(load)
})

type State = { records: number; done: number; open: number; noted: number }

async function stateOf(): Promise<State> {
  const [state] = await engine.sql<State>(`select
    (select count(*)::int from entities.row) as records,
    (select coalesce(sum(created), 0)::int from engine.imports where status = 'DONE') as done,
    (select count(*)::int from engine.imports where status in ('WAITING', 'RUNNING')) as open,
    (select count(*)::int from engine.audit_log where action = 'records.import') as noted`)
  return state as State
}

/** As half a minute later: the lease of the dead process is over when the next one starts. */
async function restartLater(): Promise<void> {
  await engine.sql('update engine.imports set due_at = now() where holder is not null returning id')
  await engine.kill()
  await engine.restart()
}

test(`a process that is killed while it imports, ${KILLS} times, has stored all rows or none, and the list says which`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await stateOf()
    const hasSucceeded = await engine.killDuring(load, importMs * 1.1)
    await restartLater()
    const { records, ...after } = await stateOf()
    if (hasSucceeded) expect(records).toBe(before.records + ROWS)
    expect([before.records, before.records + ROWS]).toContain(records)
    expect(after).toEqual({ done: records, open: 0, noted: records / ROWS })
  }
  const ended = await engine.sql<{ status: string; error: string | null }>(
    'select distinct status, error from engine.imports order by status',
  )
  expect(ended).toEqual([
    { status: 'DONE', error: null },
    { status: 'FAILED', error: expect.stringContaining('nothing is stored') },
  ])
  expect(readdirSync(join(engine.home.folder, 'tmp')).length).toBeLessThanOrEqual(2 * KILLS)
}, 3_600_000)
