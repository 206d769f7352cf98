import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { defineTestEntity } from '@/lib/testing/define'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { ownCitus } from '@/lib/testing/own-citus'
import { call } from '@/lib/testing/request'
import { whyNoCitus } from '@/scripts/steps/throwaway-citus.mjs'
import { PATCH } from './route'

const KILLS = 4
const RECORDS = 20_000
const params = { entityName: 'Item' }

describe.runIf(testsOnCitus() && whyNoCitus() === null)('a worker that is killed', () => {
  const deps = freshDeps()
  const own = ownCitus()
  const edit = (round: number) =>
    call(deps, PATCH, {
      ...{ method: 'PATCH', path: '/api/entities/Item/batch', params, as: 'EDITOR' },
      body: { entity: 'Item', query: [], set: { round } },
    })

  test(`in the middle of a batch edit, ${KILLS} times, makes it 503 and leaves all or nothing`, async () => {
    const { kill, recover, close, ...database } = own
    Object.assign(deps, database)
    await defineTestEntity(deps, { name: 'Item', distribution: { by: 'id' } })
    await own.db.execute(
      sql`insert into entities.item (id) select n from generate_series(1, ${RECORDS}::int) n`,
    )
    const startedAt = performance.now()
    expect((await edit(0)).status).toBe(200)
    const editMs = performance.now() - startedAt
    for (let round = 1; round <= KILLS; round++) {
      const editing = edit(round)
      await new Promise((resolve) => setTimeout(resolve, (editMs * (round - 0.5)) / KILLS))
      kill()
      const { status, body } = await editing
      expect([200, 503], JSON.stringify(body)).toContain(status)
      expect([200, 503]).toContain((await edit(-round)).status)
      await recover()
      const found = await rows<{ extra: string }>(
        own.db,
        sql`select distinct "$extra"::text as extra from entities.item`,
      )
      expect(found).toHaveLength(1)
    }
  }, 300_000)
})
