import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addShoes, newPlugin, run, runJson, writeJson } from '../testing/cli'
import { runningEngine, shoeNames } from '../testing/engine'

const { deps, env } = runningEngine()

describe('plan --records', () => {
  test('says how many records that were deleted here stay so, and brings them back', async () => {
    const folder = await newPlugin()
    await addShoes(folder, 3)
    await run(['install'], folder, { env })
    await deps.db.execute(sql`delete from entities.shoe where id <> 's0'`)
    const kept = await run(['plan'], folder, { env })
    expect(kept.out).toContain('2 records deleted here, which stay so without --deleted restore')
    const { out } = await run(['install', '--deleted', 'restore'], folder, { env })
    expect(out).toContain('2 records deleted here, created again')
    expect(await shoeNames(deps)).toHaveLength(3)
  })

  test('shows what changes in each record, field by field', async () => {
    const folder = await newPlugin()
    await addShoes(folder, 3)
    await run(['install'], folder, { env })
    await writeJson(folder, 'Shoe/data.json', [
      { id: 's0', name: 'Shoe 0' },
      { id: 's1', name: 'Boot' },
      { id: 's9', name: 'New' },
    ])
    const { out } = await run(['plan', '--records'], folder, { env })
    expect(out).toContain(
      [
        'Shoe/data.json',
        '  updated     {"id":"s1"}',
        '      name: "Shoe 1" → "Boot"',
        '  created     {"id":"s9"}',
      ].join('\n'),
    )
    const { json } = await runJson(['plan', '--records'], folder, { env })
    expect(json.records[0].records.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      ...['updated', 'created', 'unchanged'],
    ])
  })
})
