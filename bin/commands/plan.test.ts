import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addShoes, newPlugin, readJson, run, runJson, writeJson } from '../testing/cli'
import { runningEngine, shoeNames } from '../testing/engine'

const { deps, env } = runningEngine()

test('plan shows what is new, without control characters for the terminal', async () => {
  const folder = await newPlugin()
  const manifest = await readJson(folder, 'engineplugin.json')
  const changes = 'Half sizes\n\x1b[2Jseal: none'
  await writeJson(folder, 'engineplugin.json', { ...manifest, changes })
  const { out } = await run(['plan'], folder, { env })
  expect(out).toContain('\nWhat is new in 1.0.0:\n  Half sizes\n   [2Jseal: none\n')
})

describe('plan --records', () => {
  test('shows the records of a file that only deletes', async () => {
    const folder = await newPlugin()
    await addShoes(folder, 3)
    await run(['install'], folder, { env })
    await addShoes(folder, 2)
    const options = ['--removed', 'delete', '--records']
    const { out } = await run(['plan', ...options], folder, { env })
    expect(out).toMatch(/updated +Shoe\/data.json {2}2 unchanged\n/)
    expect(out).toContain('1 record no longer in it; 1 of them deleted')
    expect(out).toMatch(/\n {2}deleted +{"id":"s2"}\n/)
    const installed = await runJson(['install', '--removed', 'delete'], folder, { env })
    expect(installed.json.files.at(-1)).toMatchObject({
      status: 'updated',
      removed: { deleted: 1 },
    })
  })

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
