import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveOf } from '@/lib/testing/archive'
import { bundleScript } from '@/lib/testing/bundle-script'
import { EngineProcess, type Home, makeHome } from '@/lib/testing/engine-process'
import type { Command } from '../testing/engine-child'
import { SHOP, SHOP_ID } from '../testing/uninstall-api'

const KILLS = 10
const UNINSTALL: Command = { name: 'uninstall', plugin: SHOP_ID }

let bundle: string
let home: Home
let engine: EngineProcess
/** How long it takes when it is not killed, in a new process. */
let uninstallMs = 0

beforeAll(async () => {
  bundle = await bundleScript('app/api/plugins/testing/engine-child.ts')
  home = await makeHome()
  await restart()
  const archive = join(home.folder, 'plugin.zip')
  writeFileSync(archive, await archiveOf(SHOP))
  await engine.ask({ name: 'install', archive, query: '' } satisfies Command)
  await engine.kill()
  await restart()
  const startedAt = performance.now()
  await engine.ask(UNINSTALL)
  uninstallMs = performance.now() - startedAt
  await bringBack()
}, 300_000)
afterAll(async () => {
  await engine.kill()
  await home.remove()
})

const sql = <Row>(text: string) => engine.ask<Row[]>({ name: 'sql', text })

async function restart(): Promise<void> {
  engine = await EngineProcess.start(bundle, home)
}

async function bringBack(): Promise<void> {
  const [batch] = await sql<{ id: string }>('select id from engine.trash_batches')
  const command: Command = { name: 'restore', batchId: batch?.id ?? '' }
  expect(await engine.ask(command)).toMatchObject({
    status: 200,
    body: { data: [{ restored: 5 }] },
  })
}

type State = Record<'plugins' | 'entities' | 'schemas' | 'roles' | 'policies' | 'tables', number> &
  Record<'batches' | 'trashed' | 'events', number>

async function stateOf(): Promise<State | undefined> {
  const count = (name: string, from: string) => `(select count(*)::int from ${from}) as ${name}`
  const tables = `pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname`
  const [state] = await sql<State>(
    `select ${[
      ...['plugins', 'entities', 'schemas', 'roles', 'policies'].map((name) =>
        count(name, `engine.${name}`),
      ),
      count('tables', `${tables} = 'entities'`),
      count('batches', 'engine.trash_batches'),
      count('trashed', `${tables} like 'engine\\_trash%'`),
      count('events', `engine.installs where kind = 'uninstall'`),
    ].join()}`,
  )
  return state
}

const HERE = { plugins: 1, entities: 2, schemas: 2, roles: 1, policies: 1, tables: 2 }
const GONE = { plugins: 0, entities: 0, schemas: 0, roles: 0, policies: 0, tables: 0 }

test(`a process that is killed while it uninstalls, ${KILLS} times, has done all or nothing`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const events = (await stateOf())?.events ?? 0
    const hasResponded = await engine.killDuring(UNINSTALL, Math.random() * uninstallMs * 1.2)
    await restart()
    const state = await stateOf()
    const isGone = state?.plugins === 0
    if (hasResponded) expect(isGone).toBe(true)
    expect(state).toEqual(
      isGone
        ? { ...GONE, batches: 1, trashed: 2, events: events + 1 }
        : { ...HERE, batches: 0, trashed: 0, events },
    )
    if (isGone) await bringBack()
    expect(await sql('select id::int from entities.book order by 1')).toHaveLength(3)
  }
}, 600_000)
