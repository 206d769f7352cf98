import { expect, test } from 'vitest'
import { KillableEngine } from '@/app/api/plugins/testing/killable-engine'
import { pluginFiles } from '@/lib/testing/archive'
import { killRounds } from '@/lib/testing/kills'

const KILLS = killRounds(2, 50)
const RECORDS = 5_000
const createOf = (round: number) =>
  ({ name: 'create', entity: 'Item', count: RECORDS, fields: { round } }) as const

let createMs = 0

const engine = new KillableEngine('create', async () => {
  const properties = [{ name: 'round', type: 'integer', meta: { indexed: true } }]
  const files = pluginFiles({
    EngineSchemas: { files: { 'Item.json': { name: 'Item', properties } } },
    EngineEntities: { files: { 'Item.json': { name: 'Item', auditable: true } } },
  })
  await engine.succeed(await engine.installOf(files))
  createMs = await engine.timeOf(createOf(-1))
})

type State = { created: number; noted: number }

async function stateOf(round: number): Promise<State> {
  const [state] = await engine.sql<State>(`select
    (select count(*)::int from entities.item where round = ${round}) as created,
    (select count(*)::int from engine.audit_log where action = 'records.create') as noted`)
  return state as State
}

test(`a process that is killed during a batch insert, ${KILLS} times, has created all records or none`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await stateOf(kill)
    const hasSucceeded = await engine.killDuring(createOf(kill), createMs * 1.2)
    const { created, noted } = await stateOf(kill)
    expect([0, RECORDS]).toContain(created)
    if (hasSucceeded) expect(created).toBe(RECORDS)
    expect(noted - before.noted).toBe(created === 0 ? 0 : 1)
  }
}, 3_600_000)
