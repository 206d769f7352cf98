import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { countParts, installParts, MANY, nextPartId, parts } from '../../testing/parts'

const deps = freshDeps()

describe('a large file that meets an empty table', () => {
  test('gets keys in the order of its records, and knows them when it is installed again', async () => {
    expect((await installParts(deps, parts(MANY))).records).toMatchObject({ created: MANY })
    const [wrong] = await rows<{ n: number }>(
      deps.db,
      sql`select count(*)::int as n from entities.part where code <> 'C' || id`,
    )
    expect(wrong?.n).toBe(0)
    const again = await installParts(deps, parts(MANY), { onDuplicate: 'Upsert' })
    expect(again.records).toMatchObject({ created: 0, unchanged: MANY })
  })
})

test('keys that a file gives in part do not meet those that are generated', async () => {
  const mixed = parts(MANY, (n) => (n % 3 === 0 ? { id: 2 * MANY - n } : {}))
  const report = await installParts(deps, mixed)
  expect(report.records).toMatchObject({ created: MANY, failed: 0 })
  expect(await countParts(deps)).toBe(MANY)
  expect(await nextPartId(deps)).toBeGreaterThan(2 * MANY - 3)
})
