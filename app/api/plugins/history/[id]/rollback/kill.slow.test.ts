import { expect, test } from 'vitest'
import { killRounds } from '@/lib/testing/kills'
import type { Command } from '../../../testing/engine-child'
import { KillableEngine } from '../../../testing/killable-engine'
import { integer, text, version } from '../../../testing/versions'

const KILLS = killRounds(2, 30)
const COUNT = 800
const REMOVED = COUNT / 4

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const V1 = version({
  properties: [text('name'), integer('price')],
  records: numbers(COUNT).map((id) => ({ id, name: `Thing ${id}`, price: id })),
})
/** Renames, widens, adds, changes a third of the records, creates a quarter and removes as many. */
const V2 = version({
  properties: [{ ...text('title'), renamedFrom: 'name' }, text('price'), integer('stock')],
  records: numbers(COUNT).map((n) => {
    const id = n + REMOVED
    return { id, title: `Thing ${id}`, price: id % 3 ? String(id) : `${id} EUR` }
  }),
})

let archives: Record<'v1' | 'v2', Command>
let states: { before: string; after: string }
let times: { upgrade: number; rollback: number }

const rollingBack = (history: number): Command => ({ name: 'roll back', history })

const engine = new KillableEngine('roll back', async () => {
  const query = '?mode=atomic&removed=delete'
  archives = { v1: await engine.installOf(V1, query), v2: await engine.installOf(V2, query) }
  await succeed(archives.v1)
  const before = await stateOf()
  const upgrade = await engine.timeOf(archives.v2)
  const after = await stateOf()
  const rollback = await engine.timeOf(rollingBack(await lastUpgrade()))
  states = { before, after }
  times = { upgrade, rollback }
  expect(await stateOf()).toBe(before)
})

async function succeed(command: Command): Promise<number> {
  const { data } = await engine.succeed(command)
  const { history, failedCount } = data as unknown as { history: number; failedCount: number }
  expect(failedCount).toBe(0)
  return history
}

/** Records, definitions and what is remembered, as one text. */
async function stateOf(): Promise<string> {
  const digest = (name: string, row: string, from: string) =>
    `(select md5(string_agg(${row}::text, ',' order by ${row}::text)) from ${from}) as ${name}`
  const [state] = await engine.sql(
    `select ${[
      digest('records', 'to_jsonb(t)', 'entities.thing as t'),
      digest(
        'bases',
        "(to_jsonb(p) - '{install_id,created_by}'::text[])",
        'engine.plugin_records as p',
      ),
      digest('definitions', 'definition', 'engine.schemas'),
    ].join()}`,
  )
  return JSON.stringify(state)
}

/** Nothing but the last install that is in effect can be rolled back. */
async function lastUpgrade(): Promise<number> {
  const [found] = await engine.sql<{ id: number }>(
    `select max(id)::int as id from engine.installs where kind = 'install' and status = 'SUCCESS'`,
  )
  return found?.id ?? 0
}

/** Kills the process while it works; returns whether the work is done, which it is in whole or not at all. */
async function killDuring(command: Command, ms: number, done: string, undone: string) {
  const hasSucceeded = await engine.killDuring(command, ms * 1.2)
  const state = await stateOf()
  expect([done, undone]).toContain(state)
  if (hasSucceeded) expect(state).toBe(done)
  return state === done
}

test(`a process that is killed while it upgrades, ${KILLS} times, has done all or nothing`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    if (await killDuring(archives.v2, times.upgrade, states.after, states.before))
      await succeed(rollingBack(await lastUpgrade()))
    expect(await stateOf()).toBe(states.before)
  }
}, 3_600_000)

test(`a process that is killed while it rolls back, ${KILLS} times, has done all or nothing`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const history = await succeed(archives.v2)
    if (!(await killDuring(rollingBack(history), times.rollback, states.before, states.after)))
      await succeed(rollingBack(history))
    expect(await stateOf()).toBe(states.before)
  }
}, 3_600_000)
