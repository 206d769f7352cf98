import { writeFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { newFolder, newShoes, run, runJson, writeJson } from '../testing/cli'
import { runningEngine, shoeNames } from '../testing/engine'

const { deps, env } = runningEngine()

const DECISIONS = { Shoe: { take: ['s0'], keep: ['s1'] } }

/** The path of a file outside the plugin's folder. */
async function decisionsFile(decisions: object): Promise<string> {
  const folder = await newFolder()
  await writeJson(folder, 'decisions.json', decisions)
  return `${folder}/decisions.json`
}

/** Installed shoes of which two were changed here and by the plugin's next version. */
async function changedTwice() {
  const folder = await newShoes(env)
  await deps.db.execute(sql`update entities.shoe set name = 'Mine' where id in ('s0', 's1')`)
  const shoes = ['s0', 's1', 's2'].map((id) => ({ id, name: 'Theirs' }))
  await writeJson(folder, 'Shoe/data.json', shoes)
  return { folder, options: ['--decisions', await decisionsFile(DECISIONS)] }
}

describe('decisions', () => {
  test('are planned, installed and rolled back from a file', async () => {
    const { folder, options } = await changedTwice()
    const unsealed = await run(['install', ...options], folder, { env })
    expect([unsealed.code, unsealed.err]).toEqual([1, expect.stringContaining('seal')])
    const plan = await runJson(['plan', ...options], folder, { env })
    const sealed = [...options, '--seal', plan.json.seal]
    expect((await run(['install', ...sealed], folder, { env })).code).toBe(0)
    expect(await shoeNames(deps)).toEqual(['Theirs', 'Mine', 'Theirs'])

    await deps.db.execute(sql`update entities.shoe set name = 'Edited' where id <> 's1'`)
    const back = [
      'rollback',
      '--decisions',
      await decisionsFile({ Shoe: { take: ['s2'], keep: [] } }),
    ]
    expect((await run(back, folder, { env })).code).toBe(0)
    expect(await shoeNames(deps)).toEqual(['Edited', 'Mine', 'Shoe 2'])
  })

  test.each([
    ['missing.json', 2, /Cannot read the decisions/],
    ['broken.json', 2, /broken\.json is not valid JSON/],
  ])('%s is refused before anything is sent', async (file, code, message) => {
    const folder = await newFolder()
    await writeJson(folder, 'engineplugin.json', { id: 'com.example.shop', name: 'Shop' })
    await writeFile(`${folder}/broken.json`, '{')
    const refused = await run(['plan', '--decisions', file], folder, { env })
    expect([refused.code, refused.err]).toEqual([code, expect.stringMatching(message)])
  })
})
