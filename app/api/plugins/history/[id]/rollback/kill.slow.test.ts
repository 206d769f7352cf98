import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveOf } from '@/lib/testing/archive'
import { bundleScript } from '@/lib/testing/bundle-script'
import { EngineProcess, type Home, makeHome } from '@/lib/testing/engine-process'
import type { Command } from '../../../testing/engine-child'
import { integer, text, version } from '../../../testing/versions'

const KILLS = 10
const COUNT = 2_000

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const V1 = version({
  properties: [text('name'), integer('price')],
  records: numbers(COUNT).map((id) => ({ id, name: `Thing ${id}`, price: id })),
})
/** Renames, widens, adds, changes a third of the records, creates 500 and removes as many. */
const V2 = version({
  properties: [{ ...text('title'), renamedFrom: 'name' }, text('price'), integer('stock')],
  records: numbers(COUNT).map((n) => {
    const id = n + 500
    return { id, title: `Thing ${id}`, price: id % 3 ? String(id) : `${id} EUR` }
  }),
})

type Response = { status: number; body: { data: { history: number; failedCount: number } } }

let bundle: string
let home: Home
let engine: EngineProcess
let archives: Record<'v1' | 'v2', string>
let states: { before: string; after: string }
let times: { upgrade: number; rollback: number }

const sql = <Row>(statement: string) => engine.ask<Row[]>({ name: 'sql', text: statement })
const installing = (archive: string): Command => ({
  name: 'install',
  archive,
  query: '?mode=atomic&removed=delete',
})
const rollingBack = (history: number): Command => ({ name: 'roll back', history })

async function restart(): Promise<void> {
  engine = await EngineProcess.start(bundle, home)
}

async function succeed(command: Command): Promise<number> {
  const { status, body } = await engine.ask<Response>(command)
  expect({ status, failed: body.data?.failedCount, body }).toMatchObject({ status: 200, failed: 0 })
  return body.data.history
}

/** Records, definitions and what is remembered, as one text. */
async function stateOf(): Promise<string> {
  const digest = (name: string, row: string, from: string) =>
    `(select md5(string_agg(${row}::text, ',' order by ${row}::text)) from ${from}) as ${name}`
  const [state] = await sql(
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
  const [found] = await sql<{ id: number }>(
    `select max(id)::int as id from engine.installs where kind = 'install' and status = 'SUCCESS'`,
  )
  return found?.id ?? 0
}

const timed = async (work: () => Promise<unknown>) => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

beforeAll(async () => {
  bundle = await bundleScript('app/api/plugins/testing/engine-child.ts')
  home = await makeHome()
  await restart()
  archives = { v1: join(home.folder, 'v1.zip'), v2: join(home.folder, 'v2.zip') }
  writeFileSync(archives.v1, await archiveOf(V1))
  writeFileSync(archives.v2, await archiveOf(V2))
  await succeed(installing(archives.v1))
  const before = await stateOf()
  await engine.kill()
  await restart()
  const upgrade = await timed(() => succeed(installing(archives.v2)))
  const after = await stateOf()
  const history = await lastUpgrade()
  await engine.kill()
  await restart()
  const rollback = await timed(() => succeed(rollingBack(history)))
  states = { before, after }
  times = { upgrade, rollback }
  expect(await stateOf()).toBe(before)
}, 300_000)
afterAll(async () => {
  await engine.kill()
  await home.remove()
})

/** Kills the process while it works; returns whether the work is done, which it is in whole or not at all. */
async function killDuring(command: Command, ms: number, done: string, undone: string) {
  const hasResponded = await engine.killDuring(command, Math.random() * ms * 1.2)
  await restart()
  const state = await stateOf()
  expect([done, undone]).toContain(state)
  if (hasResponded) expect(state).toBe(done)
  await expect
    .poll(() => sql(`select id from engine.installs where status = 'IN_PROGRESS'`), {
      timeout: 30_000,
    })
    .toEqual([])
  return state === done
}

test(`a process that is killed while it upgrades, ${KILLS} times, has done all or nothing`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const command = installing(archives.v2)
    if (await killDuring(command, times.upgrade, states.after, states.before))
      await succeed(rollingBack(await lastUpgrade()))
    expect(await stateOf()).toBe(states.before)
  }
}, 600_000)

test(`a process that is killed while it rolls back, ${KILLS} times, has done all or nothing`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const history = await succeed(installing(archives.v2))
    if (!(await killDuring(rollingBack(history), times.rollback, states.before, states.after)))
      await succeed(rollingBack(history))
    expect(await stateOf()).toBe(states.before)
  }
}, 600_000)
