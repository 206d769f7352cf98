import { expect, test } from 'vitest'
import type { Command } from '@/app/api/plugins/testing/engine-child'
import { KillableEngine } from '@/app/api/plugins/testing/killable-engine'
import { SHOP } from '@/app/api/plugins/testing/uninstall-api'
import { killRounds } from '@/lib/testing/kills'

const KILLS = killRounds(2, 30)
const RECORDS = 20_000
const EDIT: Command = {
  ...{ name: 'edit', entity: 'Author' },
  ...{ set: { name: { $append: '!' } }, url: 'undo=1d' },
}

let editMs = 0

const engine = new KillableEngine('edit', async () => {
  await engine.succeed(await engine.installOf(SHOP))
  await engine.sql(
    `insert into entities.author (id, name) select n, 't' from generate_series(100, ${RECORDS + 99}) n`,
  )
  editMs = await engine.timeOf(EDIT)
})

type State = { marks: number; titles: number; batches: number; kept: number; noted: number }

async function stateOf(): Promise<State | undefined> {
  const [state] = await engine.sql<State>(`select
    max(length(name) - 1)::int as marks, count(distinct name)::int as titles,
    (select count(*)::int from engine.trash_batches) as batches,
    (select count(*)::int from engine.trash_records) as kept,
    (select count(*)::int from engine.audit_log where action = 'records.update') as noted
    from entities.author where id >= 100`)
  return state
}

test(`a process that is killed while it edits, ${KILLS} times, has changed all records or none`, async () => {
  const [all] = await engine.sql<{ n: number }>('select count(*)::int as n from entities.author')
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await stateOf()
    const hasSucceeded = await engine.killDuring(EDIT, editMs * 1.1)
    const after = await stateOf()
    const edits = after?.marks ?? 0
    if (hasSucceeded) expect(edits).toBe((before?.marks ?? 0) + 1)
    expect([before?.marks, (before?.marks ?? 0) + 1]).toContain(edits)
    const once = { marks: edits, batches: edits, kept: edits * (all?.n ?? 0), noted: edits }
    expect(after).toEqual({ ...once, titles: 1 })
  }
}, 3_600_000)
