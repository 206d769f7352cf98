import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { archiveOf } from '@/lib/testing/archive'
import { listen } from '@/lib/testing/listen'
import { addShoes, newFolder, newPlugin, readJson, run, runJson, writeJson } from '../testing/cli'
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

  test('replaces nothing that is no part of a plugin, whatever a server sends', async () => {
    const sent = async (path: string, name = 'x.zip') => {
      const zip = await archiveOf({ 'engineplugin.json': {}, [path]: 'sent' })
      const server = createServer((_, response) =>
        response.setHeader('content-disposition', `attachment; filename="${name}"`).end(zip),
      )
      return listen(server)
    }
    const folder = await newFolder()
    for (const path of ['.git/config', 'src/a.json', 'package.json', '.profile']) {
      await writeJson(folder, path, 'mine')
      const { port, close } = await sent(path, path)
      const elsewhere = { ...env, ENGINE_URL: `http://127.0.0.1:${port}` }
      const args = ['export', 'x', '--folder', '.']
      const { code, err } = await run(args, folder, { env: elsewhere })
      expect([code, err]).toEqual([1, expect.stringMatching(/Unsafe path|no part of a plugin/)])
      await run(['export', 'x'], folder, { env: elsewhere })
      expect(await readJson(folder, path)).toBe('mine')
      close()
    }
  })

  test('of a plugin that is not installed is refused', async () => {
    const { code, err } = await run(['export', 'com.example.nope'], await newPlugin(), { env })
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/com.example.nope|not installed|not found/i),
    ])
  })
})
