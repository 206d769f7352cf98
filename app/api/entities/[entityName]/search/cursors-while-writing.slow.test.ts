import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import { by, deps, walk } from './testing/walks'

test('a walk returns each record once while others are created and deleted', async () => {
  // On a server it is quick: a million records in a thousand steps.
  const count = deps.dialect === 'postgres' ? 1_000_000 : 20_000
  const properties = [{ name: 'rank', type: 'integer', indexed: true }]
  await installTestEntity(deps, { entity: { name: 'Many' }, schema: { properties } })
  await deps.db.execute(sql`
    insert into entities.many (id, rank)
    select n * 2, case when n % 10 > 0 then (n::bigint * 7919) % 100003 end
    from generate_series(1, ${sql.raw(String(count))}) as n`)
  await deps.db.execute(sql`analyze entities.many`)
  const doomed = new Set(Array.from({ length: 200 }, (_, index) => 2 * (index + 1) * (count / 200)))
  const stale = [...doomed]
  const found = await walk(
    { sort: by('rank desc'), fields: ['id'] },
    count / 1000,
    'Many',
    async (step) => {
      await deps.db.execute(
        sql`insert into entities.many (id, rank) values (${step * 2 + 1}, ${(step * 104_729) % 100_003})`,
      )
      const removed = stale.pop()
      if (removed) await deps.db.execute(sql`delete from entities.many where id = ${removed}`)
    },
  )
  const ids = found.map(({ id }) => Number(id))
  expect(new Set(ids).size).toBe(ids.length)
  const kept = ids.filter((id) => id % 2 === 0 && !doomed.has(id))
  expect(kept).toHaveLength(count - doomed.size)
}, 300_000)
