import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { GET as readMe } from '@/app/api/users/me/route'
import { connectionShortage } from '@/lib/db/connection-limit'
import { openPostgres } from '@/lib/db/postgres'
import { checkReadiness } from '@/lib/health/check-readiness'
import { addressesOf } from '@/lib/testing/database'
import { testDeps, testsOnCitus, testsOnPostgres, testsThroughPooler } from '@/lib/testing/deps'
import { makeEmptyDatabase } from '@/lib/testing/make-database'
import { onServer } from '@/lib/testing/on-server'
import { call } from '@/lib/testing/request'

const plain = testsOnPostgres() && !testsOnCitus() && !testsThroughPooler()

describe.skipIf(!plain)('a role that may have two connections', () => {
  const role = `engine_few_${process.pid}`
  const cleaners: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const clean of cleaners) await clean()
  })

  async function open() {
    const server = addressesOf('postgres').url
    const made = await makeEmptyDatabase(server)
    await onServer(server, `create role ${role} login password 'word' connection limit 2`)
    await onServer(server, `alter database ${made.name} owner to ${role}`)
    const url = new URL(addressesOf(made.name).url)
    Object.assign(url, { username: role, password: 'word' })
    const database = await openPostgres({ url: url.href, poolSize: 10 })
    cleaners.push(database.close, made.drop, () => onServer(server, `drop role ${role}`))
    return database
  }

  test('is too little for the pool, which ready says, and errors name it', async () => {
    const { db, dialect } = await open()
    const shortage = { needed: 13, allowed: 2, limitedBy: 'role' }
    const deps = Object.assign(await testDeps(), { db, dialect })
    expect(await connectionShortage(db, deps.settings)).toEqual(shortage)
    expect((await checkReadiness(deps)).database.connections).toEqual(shortage)
    const busy = [1, 2, 3].map(() => db.execute(sql`select pg_sleep(1)`).catch(() => {}))
    const headers = { authorization: `Bearer eng_${'k'.repeat(32)}` }
    const answers = [1, 2, 3].map(() => call(deps, readMe, { path: '/', headers }))
    const refused = (await Promise.all(answers)).find(({ status }) => status === 503)
    expect(refused?.body.error).toBe('The database has no connection free; try again in a moment')
    await Promise.all(busy)
  })
})
