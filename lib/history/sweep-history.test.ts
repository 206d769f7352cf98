import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { sweepHistory } from './sweep-history'

const deps = freshDeps({ HISTORY_VERSIONS: '3', HISTORY_DAYS: '10' })

const run = (statement: string) => deps.db.execute(sql.raw(statement))
const kept = async () =>
  (
    await rows<{ kind: string }>(deps.db, sql`select kind from engine.record_versions order by id`)
  ).map(({ kind }) => kind)

test('keeps the last versions of each record, for so many days, of tables that exist', async () => {
  const entity = { name: 'Thing', history: true }
  await installTestEntity(deps, {
    entity,
    schema: { properties: [{ name: 'n', type: 'integer' }] },
  })
  await run('insert into entities.thing (id, n) values (1, 0), (2, 0)')
  for (let n = 1; n <= 4; n++) await run(`update entities.thing set n = ${n} where id = 1`)
  expect(await sweepHistory(deps)).toBe(2)
  expect(await kept()).toEqual(['insert', 'update', 'update', 'update'])
  await run(`update engine.record_versions set at = now() - interval '11 days' where key = '2'`)
  expect(await sweepHistory(deps)).toBe(1)
  await run('drop table entities.thing')
  expect(await sweepHistory(deps)).toBe(3)
  expect(await sweepHistory(deps)).toBe(0)
})
