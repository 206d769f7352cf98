import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as ofUser from '@/app/api/users/[userId]/erasure/route'
import { users } from '@/lib/db/schema'
import { type Db, one, rows } from '@/lib/db/sql'
import { testsOnPostgres } from '@/lib/testing/deps'
import { testRequest } from '@/lib/testing/request'
import * as entity from '../route'
import * as ofRecords from './route'
import { admin, deps, done, named } from './testing/customers'

async function erasureOfRecords(query: string, signal: AbortSignal): Promise<Response> {
  await done(entity.POST, 'POST', { body: { name: 'Quillmark' } })
  const path = `/api/entities/Customer/erasure?${query}`
  const asked = { method: 'POST', path, body: named('Quillmark'), headers: admin }
  const params = Promise.resolve({ entityName: 'Customer' })
  return ofRecords.POST(new Request(await testRequest(deps, asked), { signal }), { params })
}

async function erasureOfPerson(query: string, signal: AbortSignal): Promise<Response> {
  const email = `${crypto.randomUUID()}@example.com`
  const added = deps.db.insert(users).values({ email, roles: [], status: 'ACTIVATED' })
  const user = one(await added.returning())
  const path = `/api/users/${user.id}/erasure?${query}`
  const asked = { method: 'POST', path, body: { confirm: email }, headers: admin }
  const params = Promise.resolve({ userId: user.id })
  return ofUser.POST(new Request(await testRequest(deps, asked), { signal }), { params })
}

/** How many statements wait for a lock. */
async function waiting(): Promise<number> {
  const query = sql`select count(*)::int as total from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return one(await rows<{ total: number }>(deps.db, query)).total
}

type Erasure = typeof erasureOfRecords

/** The response after the client left, as a table that the erasure needs was locked; and how many waited for it afterwards. */
async function leave(erasure: Erasure, query: string) {
  const client = new AbortController()
  let response: Promise<Response> | undefined
  await deps.db.transaction(async (tx: Db) => {
    await tx.execute(sql`lock table engine.imports in access exclusive mode`)
    response = erasure(query, client.signal)
    await expect.poll(waiting).toBe(1)
    client.abort()
    if (query !== 'dryRun=true') return
    expect(await (await response).json()).toMatchObject({ error: expect.stringContaining('left') })
    await expect.poll(waiting).toBe(0)
  })
  return response
}

// The embedded database has one connection, so no other could lock a table.
test.runIf(testsOnPostgres()).each([
  ['records', erasureOfRecords, 'expected=2'],
  ['a person', erasureOfPerson, ''],
])(
  'a dry run of an erasure of %s ends when its client leaves, the erasure goes on',
  async (_, erasure, query) => {
    expect((await leave(erasure, 'dryRun=true'))?.status).toBe(503)
    expect((await leave(erasure, query))?.status).toBe(200)
  },
)
