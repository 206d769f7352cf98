import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createFirstAdministrator } from '@/lib/bootstrap/create-first-administrator'
import { definitionTransaction } from '@/lib/tables/definition-transaction'
import { testDeps } from '@/lib/testing/deps'
import { SERVER_LOCKS } from './locks'

test('no two locks share a key', () => {
  const keys = Object.values(SERVER_LOCKS)
  expect(new Set(keys).size).toBe(keys.length)
})

test('the set-up of a server does not wait for a change of definitions', async () => {
  const deps = await testDeps()
  const { db, dialect } = deps
  if (dialect === 'pglite') return // one transaction at a time anyway
  await definitionTransaction(db, async (tx) => {
    await tx.execute(sql`select 1`)
    const email = 'first@example.com'
    expect(await createFirstAdministrator(deps, { email, password: 'a long one' })).not.toBeNull()
  })
})
