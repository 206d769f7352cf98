import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { watchPlans } from '@/lib/testing/compared-each-with-each'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { POST as ROLLBACK } from '../../history/[id]/rollback/route'
import { install } from '../../testing/plugin-api'

const deps = freshDeps()

const KEYS = { composite: ['region', 'number'], generated: ['id'] }

/** Orders `from` to `to`; the title of every thousandth is the version's. */
function shop(keys: keyof typeof KEYS, version: number, [from, to]: [number, number]) {
  const strategy = keys === 'generated' ? 'AutoIncrement' : 'Fixed'
  const type = keys === 'generated' ? 'number' : 'string'
  const fields = keys === 'generated' ? ['title', 'number'] : ['title', 'region', 'number']
  const order = (n: number) => {
    const title = n % 1000 === 0 ? `Order ${n}, ${version}` : `Order ${n}`
    const own = { number: `number ${n}`, title }
    return keys === 'generated' ? own : { region: `region ${n % 97}`, ...own }
  }
  return pluginFiles(
    {
      EngineSchemas: {
        files: {
          'Order.json': {
            name: 'Order',
            properties: [
              ...(keys === 'generated' ? [{ name: 'id', type: 'integer' }] : []),
              ...fields.map((name) => ({ name, type: 'string' })),
            ],
          },
        },
      },
      EngineEntities: {
        files: {
          'Order.json': {
            name: 'Order',
            pks: KEYS[keys].map((key) => ({ key, strategy, type })),
            insertDuplicate: 'Upsert',
          },
        },
      },
      Order: {
        files: { 'all.json': Array.from({ length: to - from }, (_, n) => order(n + from)) },
      },
    },
    { version: String(version) },
  )
}

// A cluster explains no statement that joins its nodes' tables with a temporary one.
const onOneServer = test.skipIf(testsOnCitus())

onOneServer.each([10_000, 30_000])(
  'an upgrade that drops records with generated keys compares none of %i with each of the others',
  async (count) => {
    const found: string[] = []
    await install(deps, shop('generated', 1, [0, count]))
    deps.db = watchPlans(deps.db, found)
    await drop('generated', count)
    expect(found).toEqual([])
  },
  300_000,
)

onOneServer.each([10_000, 30_000])(
  'an upgrade that drops some of %i records with composite keys compares none with each of the others, nor do rollbacks',
  async (count) => {
    const found: string[] = []
    const { db } = deps
    const first = await install(deps, shop('composite', 1, [0, count]))
    deps.db = watchPlans(db, found)
    const second = await drop('composite', count)
    deps.db = db
    // What is known to be many is hashed only as far as memory allows.
    await db.execute(sql`analyze`)
    deps.db = watchPlans(db, found)
    for (const { body } of [second, first]) {
      const id = String(body.data.history)
      const path = `/api/plugins/history/${id}/rollback`
      const request = { method: 'POST', path, params: { id }, as: 'ADMIN' } as const
      const undone = await call(deps, ROLLBACK, request)
      expect(undone.status, JSON.stringify(undone.body)).toBe(200)
    }
    expect(found).toEqual([])
  },
  300_000,
)

/** Upgrades to a version without the first thousand, which are deleted. */
async function drop(keys: keyof typeof KEYS, count: number) {
  const installed = await install(deps, shop(keys, 2, [1000, count]), { query: '?removed=delete' })
  const removed = { total: 1000, deleted: 1000 }
  expect(installed.logs.at(-1)).toMatchObject({ error: null, removed })
  return installed
}
