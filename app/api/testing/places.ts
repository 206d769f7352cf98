import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, describe } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import type { Handler } from '@/lib/http/route'
import { recordLoopDelay } from '@/lib/metrics/loop-delay'
import { metrics } from '@/lib/metrics/metrics'
import { currentDeps, testDeps, testsOnPostgres } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import * as batch from '../entities/[entityName]/batch/route'
import * as count from '../entities/[entityName]/count/route'
import * as exported from '../entities/[entityName]/export/route'
import * as search from '../entities/[entityName]/search/route'

export const deps = currentDeps()

const POOL = { DATABASE_POOL_SIZE: '6' }
export const onPostgres = describe.skipIf(!testsOnPostgres())
export const params = { entityName: 'Place' }
export const anyOf = (length: number) => [
  {
    operator: 'or',
    filters: Array.from({ length }, (_, n) => ({
      ...{ field: 'name', operator: 'icontains', value: `zz${n}q` },
    })),
  },
]

export async function prepare(settings: Record<string, string> = {}): Promise<void> {
  await testDeps({ ...POOL, ...settings })
  const properties = [{ name: 'name', type: 'string' }]
  await installTestEntity(deps, { entity: { name: 'Place' }, schema: { properties } })
  await deps.db.execute(sql`
    insert into entities.place (id, name)
    select n, 'Place number ' || n || ' of the region ' || md5(n::text) from generate_series(1, 20000) n`)
  await deps.db.execute(sql`analyze entities.place`)
}

beforeEach(() => metrics().registry.resetMetrics())
afterEach(() => recordLoopDelay(0))

const post = (handler: Handler, path: string, body: object, method = 'POST') =>
  call(deps, handler, { method, path: `/api/entities/Place/${path}`, params, body, as: 'EDITOR' })

const query = (conditions: number) => ({ entity: 'Place', query: anyOf(conditions) })
export const ask: Record<string, (conditions: number) => ReturnType<typeof call>> = {
  'a search': (n) => post(search.POST, 'search', query(n)),
  'a search of groups': (n) => {
    const groupBy = { fields: ['name'], aggregate: [{ function: 'COUNT' }] }
    return post(search.POST, 'search', { ...query(n), groupBy })
  },
  'a count': (n) => post(count.POST, 'count', query(n)),
  'an export': (n) => post(exported.POST, 'export', query(n)),
  'a deletion': (n) => post(batch.DELETE, 'batch', query(n), 'DELETE'),
  'a trial of a deletion': (n) => post(batch.DELETE, 'batch?dryRun=true', query(n), 'DELETE'),
}

export async function runningStatements(): Promise<number> {
  const query = sql`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`
  return one(await rows<{ count: number }>(deps.db, query)).count
}

/** `Request`s that end with the signal, as a server's do with their connection. */
export const withSignal = (signal: AbortSignal) =>
  class extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input, { ...init, signal })
    }
  }
