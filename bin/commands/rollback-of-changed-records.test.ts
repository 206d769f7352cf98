import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { addShoes, newShoes, run, runJson } from '../testing/cli'
import { runningEngine, shoeNames } from '../testing/engine'

const { deps, env } = runningEngine()

const names = () => shoeNames(deps)

describe('rollback', () => {
  test('keeps what was changed here since, unless it is told otherwise', async () => {
    const folder = await newShoes(env)
    await addShoes(folder, 4)
    await run(['install'], folder, { env })
    await deps.db.execute(sql`update entities.shoe set name = 'Mine' where id = 's3'`)
    const refused = await run(['rollback', '--on-conflict', 'fail'], folder, { env })
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('onConflict')])
    expect((await run(['rollback'], folder, { env })).code).toBe(0)
    expect(await names()).toContain('Mine')
  })

  test('with the seal of a plan does what was planned, or nothing', async () => {
    const folder = await newShoes(env)
    await addShoes(folder, 4)
    await run(['install'], folder, { env })
    const sealed = async () => {
      const { json } = await runJson(['rollback', '--plan'], folder, { env })
      return run(['rollback', '--seal', json.seal], folder, { env })
    }
    const { json } = await runJson(['rollback', '--plan'], folder, { env })
    await deps.db.execute(sql`update entities.shoe set name = 'Mine' where id = 's3'`)
    const refused = await run(['rollback', '--seal', json.seal], folder, { env })
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('no longer holds')])
    expect(await names()).toHaveLength(4)
    expect((await sealed()).code).toBe(0)
  })
})
