import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { one, rows } from '@/lib/db/sql'
import { settlePending } from '@/lib/tables/settle-pending'
import { drift } from '../../testing/generated-values'
import { installAsPlanned } from '../../testing/install-as-planned'
import { things } from '../../testing/large-files'
import { edit, PROPERTIES } from '../../testing/upgrades'
import { deps, version } from '../../testing/versions'

const KEYS = [
  { key: 'id', strategy: 'Fixed', type: 'number' },
  { key: 'name', strategy: 'Fixed', type: 'string' },
]
const AT = '2026-01-02T03:04:05.678Z'
const AT_TYPE = { name: 'at', type: 'datetime', meta: {} }

/** More than 50 fields, and so many bytes that the file is written in parts. */
const properties = [
  ...PROPERTIES,
  AT_TYPE,
  ...Array.from({ length: 60 }, (_, n) => ({ name: `field${n}`, type: 'integer', meta: {} })),
]
const records = (price = 1) =>
  things(price, 60).map((thing) => ({ ...thing, at: AT, field59: thing.id }))

describe.each([
  { title: 'one key', pks: KEYS.slice(0, 1) },
  { title: 'a composite key', pks: KEYS },
])('records with $title that fill a table', ({ pks }) => {
  const files = (input: object[]) => version({ properties, entity: { pks }, records: input })

  test('are remembered as they are stored', async () => {
    expect((await installAsPlanned(deps, files(records()))).counts).toEqual([60, 0, 0])
    await settlePending(deps.db)
    const stored = sql`select count(*)::int as count, count(distinct key)::int as keys, min(base->>'at') as at,
      max((base->>'field59')::int) as field from engine.plugin_records where entity = 'Thing'`
    expect(one(await rows(deps.db, stored))).toEqual({ count: 60, keys: 60, at: AT, field: 60 })
    expect(await drift()).toEqual([])
  })

  test('are merged with local edits by the next version', async () => {
    await installAsPlanned(deps, files(records()))
    await edit('price = 9', 2)
    const { counts, log } = await installAsPlanned(deps, files(records(5)))
    expect(counts).toEqual([0, 59, 1])
    expect(log?.conflictCount).toBe(1)
  })
})
