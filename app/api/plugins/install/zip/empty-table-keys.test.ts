import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { tableIndexDefinitions } from '@/lib/testing/define'
import { freshDeps } from '@/lib/testing/deps'
import { countParts, installParts, MANY, parts } from '../../testing/parts'

const deps = freshDeps()

describe('a large file that meets an empty table', () => {
  const repeated = (n: number) => ({ id: n === MANY ? 7 : n })
  test('fails for a key that it has twice, naming both records', async () => {
    const report = await installParts(deps, parts(MANY, repeated))
    expect(report).toMatchObject({
      verdict: 'Conflict Issue!',
      details: [{ index: MANY - 1, key: 7, message: expect.stringContaining('record number 7') }],
      records: { created: 0, failed: 1 },
    })
    expect(await countParts(deps)).toBe(0)
    expect(await tableIndexDefinitions(deps, 'part')).toHaveLength(6)
  })

  test.each([
    ['Ignore', 'C7'],
    ['Upsert', `C${MANY}`],
  ])('has a key twice and %s: one of the records is stored', async (onDuplicate, code) => {
    const report = await installParts(deps, parts(MANY, repeated), { onDuplicate })
    expect(report.records).toMatchObject({ created: MANY - 1, unchanged: 1 })
    expect(await rows(deps.db, sql`select code from entities.part where id = 7`)).toEqual([
      { code },
    ])
  })
})
