import { describe, expect, test } from 'vitest'
import { newFolder, readJson } from './testing/cli'
import { engine } from './testing/engine-command'

describe('engine, from another folder', () => {
  test('writes and checks a plugin there', async () => {
    const folder = await newFolder()
    expect(await engine(['init', 'shop'], folder)).toMatchObject({ code: 0 })
    expect(await readJson(folder, 'shop/engineplugin.json')).toMatchObject({ name: 'shop' })
    const { code, stdout } = await engine(['validate', 'shop'], folder, { FORCE_COLOR: '1' })
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^valid {7}EngineSchemas.*: valid\n$/s),
    ])
  })
})
