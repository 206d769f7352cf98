import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { databaseState } from '@/lib/testing/database-state'
import { counting } from './counting'
import { install } from './plugin-api'

type Use = 'never used' | 'used' | 'moved on'

/** What dry runs must leave of a counter of the given type, a test for each use before them. */
export function testCountersInDryRuns(deps: Deps, type: 'number' | 'string', uses: Use[]): void {
  const nextNumber = async () => {
    const { logs } = await install(deps, counting([[{}]], type))
    expect(logs.at(-1)).toMatchObject({ status: 'created' })
    const [found] = await rows<{ n: number }>(
      deps.db,
      sql`select max(no::bigint)::int as n from entities.thing`,
    )
    return found?.n
  }

  const files: Record<Use, object[][]> = {
    'never used': [],
    used: [[{}, {}]],
    'moved on': [[{ no: type === 'number' ? 500_000 : '500000' }]],
  }

  test.each(uses)('and %s is where it was after dry runs', async (use) => {
    await install(deps, counting([[], ...files[use]], type))
    const before = await databaseState(deps.db)
    const far = type === 'number' ? 1_000_000 : '1000000'
    for (const records of [
      [{}, {}],
      [{ no: far }, {}],
      [{ code: 'a' }, { code: 'a' }],
    ])
      await install(deps, counting([records, [{}]], type), { query: '?dryRun=true' })
    expect(await databaseState(deps.db)).toEqual(before)
    const expected = { 'never used': 1, used: 3, 'moved on': 500_001 }[use]
    expect(await nextNumber()).toBe(expected)
  })
}
