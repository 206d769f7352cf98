import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { watchPlans } from '@/lib/testing/compared-each-with-each'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { DELETE } from './route'

const deps = freshDeps()

const PKS = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
const to = (name: string, entity: string, onDelete: string) => ({
  ...{ name, type: 'decimal', reference: { entity, field: 'id', onDelete } },
})

/** Parts that go with the part that they are in, and by one of two ways with their box; they name another one as the next. */
async function fill(count: number): Promise<void> {
  const define = (name: string, properties: object[]) =>
    installTestEntity(deps, { entity: { name, pks: PKS }, schema: { properties } })
  await define('Box', [{ name: 'size', type: 'integer' }])
  await define('Part', [
    to('inside', 'Part', 'cascade'),
    to('next', 'Part', 'setNull'),
    to('box', 'Box', 'cascade'),
    to('spare', 'Box', 'cascade'),
  ])
  const half = sql`${count / 2}::int`
  await deps.db.execute(
    sql`insert into entities.box (id) select n from generate_series(1, ${half}) n`,
  )
  await deps.db.execute(sql`insert into entities.part (id, box, spare)
    select n, case when n <= ${half} then n end, case when n > ${half} then n - ${half} end from generate_series(1, ${count}::int) n`)
  await deps.db.execute(
    sql`update entities.part set inside = id - 1, next = id + 1 where id % 10 = 2`,
  )
}

test.skipIf(testsOnCitus()).each([10_000, 100_000])(
  'a deletion that takes %i others along compares none with each of them',
  async (count) => {
    await fill(count)
    const found: string[] = []
    deps.db = watchPlans(deps.db, found)
    const { status, body } = await call(deps, DELETE, {
      ...{ method: 'DELETE', path: '/api/entities/Box/batch?undo=1d', as: 'ADMIN' },
      params: { entityName: 'Box' },
      body: { entity: 'Box', query: [] },
    })
    expect([status, body.data]).toEqual([200, [expect.objectContaining({ effected: count / 2 })]])
    expect(found).toEqual([])
  },
  300_000,
)
