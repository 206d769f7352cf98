import { expect, test } from 'vitest'
import type { Command } from '@/app/api/plugins/testing/engine-child'
import { KillableEngine } from '@/app/api/plugins/testing/killable-engine'
import { pluginFiles } from '@/lib/testing/archive'
import { killRounds } from '@/lib/testing/kills'

const KILLS = killRounds(2, 50)
const MASS = 40_000
const DELETE_ALL: Command = { name: 'delete', entity: 'Mass' }
const DELETE_HALF: Command = {
  name: 'delete',
  entity: 'Mass',
  query: [{ field: 'id', operator: 'gt', value: MASS / 2 }],
}

let deleteMs = 0

const engine = new KillableEngine('delete', async () => {
  const files = pluginFiles({ EngineEntities: { files: { 'Mass.json': { name: 'Mass' } } } })
  await engine.succeed(await engine.installOf(files))
  await seed()
  deleteMs = await engine.timeOf(DELETE_HALF)
})

const seed = () =>
  engine.sql(`with gone as (delete from entities.mass where id > ${MASS})
    insert into entities.mass (id) select generate_series(1, ${MASS}) on conflict do nothing`)

type State = { left: number; deletions: number }

/** How many records there are, and how many batch deletes the audit log has. */
async function stateOf(): Promise<State> {
  const [state] = await engine.sql<State>(`select (select count(*)::int from entities.mass) as left,
    (select count(*)::int from engine.audit_log where action = 'records.delete') as deletions`)
  return state as State
}

test(`a process that is killed during a batch delete, ${KILLS} times, has deleted all that match or nothing`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    await seed()
    const before = await stateOf()
    const isAll = kill % 3 === 0
    const command = isAll ? DELETE_ALL : DELETE_HALF
    const hasSucceeded = await engine.killDuring(command, deleteMs * 1.5)
    const { left, deletions } = await stateOf()
    const isDone = left !== MASS
    if (isDone) expect(left).toBe(isAll ? 0 : MASS / 2)
    expect(deletions - before.deletions).toBe(isDone ? 1 : 0)
    if (hasSucceeded) expect(isDone).toBe(true)
  }
}, 3_600_000)
