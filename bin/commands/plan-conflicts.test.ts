import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addShoes, newPlugin, run, runJson, writeJson } from '../testing/cli'
import { runningEngine } from '../testing/engine'

const { deps, env } = runningEngine()

describe('plan --records', () => {
  test('shows what was changed here and by the plugin', async () => {
    const folder = await newPlugin()
    await addShoes(folder, 1)
    await run(['install'], folder, { env })
    await deps.db.execute(sql`update entities.shoe set name = 'Mine'`)
    await writeJson(folder, 'Shoe/data.json', [{ id: 's0', name: 'Theirs' }])
    const { out } = await run(['plan'], folder, { env })
    expect(out).toMatch(
      /conflict: record "s0", edited here \(keep\)\n +name: was "Shoe 0", here "Mine", in the plugin "Theirs"/,
    )
    expect((await run(['install', '--on-conflict', 'fail'], folder, { env })).code).toBe(1)
    expect((await run(['install', '--on-conflict', 'take'], folder, { env })).code).toBe(0)
    expect((await runJson(['plan'], folder, { env })).json.files.at(-1).status).toBe('unchanged')
  })
})
