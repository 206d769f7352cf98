import { expect, test } from 'vitest'
import { killRounds } from '@/lib/testing/kills'
import type { Command } from '../testing/engine-child'
import { KillableEngine } from '../testing/killable-engine'
import { SHOP, SHOP_ID } from '../testing/uninstall-api'

const KILLS = killRounds(2, 30)
const UNINSTALL: Command = { name: 'uninstall', plugin: SHOP_ID }

let uninstallMs = 0

const engine = new KillableEngine('uninstall', async () => {
  await engine.succeed(await engine.installOf(SHOP))
  uninstallMs = await engine.timeOf(UNINSTALL)
  await restore()
})

async function restore(): Promise<void> {
  const [batch] = await engine.sql<{ id: string }>('select id from engine.trash_batches')
  const { data } = await engine.succeed({ name: 'restore', batchId: batch?.id ?? '' })
  expect(data).toMatchObject([{ restored: 5 }])
}

type State = Record<'plugins' | 'entities' | 'schemas' | 'roles' | 'policies' | 'tables', number> &
  Record<'batches' | 'trashed' | 'events', number>

async function stateOf(): Promise<State | undefined> {
  const count = (name: string, from: string) => `(select count(*)::int from ${from}) as ${name}`
  const tables = `pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname`
  const [state] = await engine.sql<State>(
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
const NOTHING_LEFT = { plugins: 0, entities: 0, schemas: 0, roles: 0, policies: 0, tables: 0 }

test(`a process that is killed while it uninstalls, ${KILLS} times, has done all or nothing`, async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const events = (await stateOf())?.events ?? 0
    const hasSucceeded = await engine.killDuring(UNINSTALL, uninstallMs * 1.2)
    const state = await stateOf()
    const isDeleted = state?.plugins === 0
    if (hasSucceeded) expect(isDeleted).toBe(true)
    expect(state).toEqual(
      isDeleted
        ? { ...NOTHING_LEFT, batches: 1, trashed: 2, events: events + 1 }
        : { ...HERE, batches: 0, trashed: 0, events },
    )
    if (isDeleted) await restore()
    expect(await engine.sql('select id::int from entities.book order by 1')).toHaveLength(3)
  }
}, 3_600_000)
