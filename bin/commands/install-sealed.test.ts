import { describe, expect, test } from 'vitest'
import { addShoes, newPlugin, run, runJson } from '../testing/cli'
import { runningEngine } from '../testing/engine'

const { env } = runningEngine()

describe('plan and install', () => {
  test('a seal is for the files that were planned', async () => {
    const folder = await newPlugin()
    const { json } = await runJson(['plan'], folder, { env })
    await addShoes(folder, 3)
    const refused = await runJson(['install', '--seal', json.seal], folder, { env })
    expect(refused).toMatchObject({ code: 1, json: { status: 409, error: expect.any(String) } })
    const again = await runJson(['plan'], folder, { env })
    expect((await run(['install', '--seal', again.json.seal], folder, { env })).code).toBe(0)
  })
})
