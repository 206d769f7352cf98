import { describe, expect, test } from 'vitest'
import { addShoes, newPlugin, readJson, run, runJson, writeJson } from '../testing/cli'
import { runningEngine } from '../testing/engine'

const { env } = runningEngine()

describe('export', () => {
  test('an exported plugin is unpacked into its folder, and is as it was installed', async () => {
    const folder = await newPlugin()
    await addShoes(folder, 3)
    await run(['install'], folder, { env })
    await writeJson(folder, 'Shoe/data.json', [])
    await writeJson(folder, 'Shoe/gone.json', [])
    const { code, json } = await runJson(['export', '--folder', '.'], folder, { env })
    expect([code, json.files]).toEqual([0, expect.arrayContaining(['engineplugin.json'])])
    const { json: valid } = await runJson(['validate'], folder)
    expect(valid).toMatchObject({ valid: true, pluginId: 'com.example.shop' })
    const { json: plan } = await runJson(['plan'], folder, { env })
    const changed = plan.files.filter(
      ({ kind, status }: Record<string, string>) => kind === 'data' && status !== 'unchanged',
    )
    expect(changed).toEqual([])
    expect((await readJson(folder, 'engineplugin.json')).version).toBe('1.0.0')
  })

  test('an archive is written where --output says', async () => {
    const folder = await newPlugin()
    await run(['install'], folder, { env })
    const { json } = await runJson(['export', 'com.example.shop', '-o', 'out.zip'], folder, { env })
    expect(json.file).toBe(`${folder}/out.zip`)
    expect((await run(['validate', 'out.zip'], folder)).code).toBe(0)
  })

  test('of a plugin that is not installed is refused', async () => {
    const { code, err } = await run(['export', 'com.example.nope'], await newPlugin(), { env })
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/com.example.nope|not installed|not found/i),
    ])
  })
})
