import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { tableIndexDefinitions } from '@/lib/testing/define'
import { freshDeps } from '@/lib/testing/deps'
import { countParts, installParts, MANY, nextPartId, parts } from '../../testing/parts'

const deps = freshDeps()

const keyed = (n: number) => ({ id: n, ...(n > 1 ? { parent: n - 1 } : { parent: MANY }) })

describe('a large file that meets an empty table', () => {
  test('is stored whole, and every index is there afterwards', async () => {
    expect((await installParts(deps, [])).verdict).toBe('unchanged')
    const before = await tableIndexDefinitions(deps, 'part')
    const report = await installParts(deps, parts(MANY, keyed))
    expect(report).toMatchObject({ verdict: 'created', records: { created: MANY, failed: 0 } })
    expect(await tableIndexDefinitions(deps, 'part')).toEqual(before)
    expect(await countParts(deps)).toBe(MANY)
    const [found] = await rows(
      deps.db,
      sql`select name, note, "$extra" as extra, parent::int from entities.part where code = 'C2'`,
    )
    const [, second] = parts(MANY, keyed)
    expect(found).toMatchObject({
      name: second?.name,
      note: second?.note,
      extra: { undeclared: { n: 1 } },
      parent: 1,
    })
    expect(await nextPartId(deps)).toBe(MANY + 1)
  })

  test.each(['', '?mode=atomic'])(
    'can be in an archive that is installed with "%s"',
    async (query) => {
      expect((await installParts(deps, parts(MANY, keyed), { query })).verdict).toBe('created')
      expect(await tableIndexDefinitions(deps, 'part')).toHaveLength(6)
    },
  )
})

test('a table that is in use keeps its indexes meanwhile', async () => {
  await installParts(deps, [])
  let finish = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  if (deps.dialect !== 'postgres') return
  const reading = deps.db.transaction(async (tx) => {
    await tx.execute(sql`select count(*) from entities.part`)
    await held
  })
  expect((await installParts(deps, parts(MANY))).verdict).toBe('created')
  finish()
  await reading
  expect(await tableIndexDefinitions(deps, 'part')).toHaveLength(6)
})
