import { describe, expect, test } from 'vitest'
import { newPlugin, run, runJson, writeJson } from '../testing/cli'
import { runningEngine } from '../testing/engine'

const { env } = runningEngine()

describe('plan and install', () => {
  test('a plan says what the install then does', async () => {
    const folder = await newPlugin()
    const planned = await runJson(['plan'], folder, { env })
    expect(planned).toMatchObject({
      code: 0,
      json: { pluginId: 'com.example.shop', totalFiles: 3 },
    })
    const installed = await runJson(['install'], folder, { env })
    expect(installed).toMatchObject({ code: 0, json: { history: 1, failedCount: 0 } })
    const outcome = ({ path, status, records }: Record<string, unknown>) => ({
      path,
      status,
      records,
    })
    expect(installed.json.files.map(outcome)).toEqual(planned.json.files.map(outcome))
    const { out } = await run(['plan'], folder, { env })
    expect(out).toContain('Plan of com.example.shop 1.0.0 (installed: 1.0.0)\n3 files unchanged')
  })

  test('files that fail are said, and the exit code too', async () => {
    const folder = await newPlugin()
    await writeJson(folder, 'Shoe/bad.json', [{ id: 'x' }])
    for (const command of ['plan', 'install']) {
      const { code, out } = await run([command], folder, { env })
      expect([code, out]).toEqual([
        1,
        expect.stringMatching(/failed +Shoe\/bad.json {2}Invalid record/),
      ])
    }
    const { code, out } = await run(['install', '--mode', 'atomic'], folder, { env })
    expect([code, out]).toEqual([1, expect.stringContaining('Rolled back')])
  })

  test('an archive without anything to install is refused in the words of the server', async () => {
    const folder = await newPlugin()
    await writeJson(folder, 'engineplugin.json', { id: 'nope' })
    const { code, err } = await run(['install'], folder, { env })
    expect([code, err]).toEqual([1, expect.stringContaining('reverse-domain style')])
  })
})
