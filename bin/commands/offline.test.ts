import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Ajv from 'ajv'
import { describe, expect, test } from 'vitest'
import { type FileSchemaName, fileSchema } from '@/lib/archives/file-schema'
import { newFolder, newPlugin, readJson, run, runJson, writeJson } from '../testing/cli'

describe('init', () => {
  test('writes a plugin that is valid', async () => {
    const folder = await newPlugin()
    expect(await readJson(folder, 'engineplugin.json')).toMatchObject({ id: 'com.example.shop' })
    const { code, json } = await runJson(['validate'], folder)
    expect({ code, json }).toMatchObject({ code: 0, json: { valid: true, version: '1.0.0' } })
    expect(json.files.flatMap(({ warnings }: { warnings: unknown[] }) => warnings)).toEqual([])
  })

  test('names in each file the JSON Schema that it meets', async () => {
    const folder = await newPlugin()
    const names = (await readdir(folder, { recursive: true })).filter((name) =>
      name.endsWith('.json'),
    )
    const kinds = new Set<string>()
    for (const name of names) {
      const { $schema, ...content } = await readJson(folder, name)
      if (name.endsWith('data.json')) continue
      const kind = /^http:\/\/localhost:3000\/schemas\/(\w+)\.json$/.exec($schema)?.[1] ?? ''
      kinds.add(kind)
      const isValid = new Ajv({ strict: false }).compile(fileSchema(kind as FileSchemaName))
      expect([name, isValid(content)]).toEqual([name, true])
    }
    expect([...kinds].sort()).toEqual(['component', 'entity', 'plugin', 'schema'])
  })

  test('makes an id of the name of the folder', async () => {
    const parent = await newFolder()
    expect(await run(['init', 'My shop!'], parent)).toMatchObject({ code: 0 })
    expect(await readJson(parent, 'My shop!/engineplugin.json')).toMatchObject({
      id: 'com.example.My-shop',
      name: 'My shop!',
    })
  })

  test.each<[string, string[], RegExp]>([
    ['a folder with files', [], /is not empty; name a new folder/],
    ['a name that no entity can have', ['new', '--entity', 'a b'], /letters, digits and _/],
  ])('refuses %s', async (_, args, message) => {
    const { code, err } = await run(['init', ...args], await newPlugin())
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
  })
})

describe('validate', () => {
  test('says what is wrong and where, and exits with 1', async () => {
    const folder = await newPlugin()
    await writeJson(folder, 'Shoe/data.json', [{ id: 'a', name: 'A' }, { id: 'b' }])
    await writeJson(folder, 'Shoe/more.json', [{ id: 'c', name: 'C' }])
    const { code, out } = await run(['validate'], folder)
    expect(code).toBe(1)
    expect(out).toContain(
      'invalid     Shoe/data.json  Invalid record  1 record\n    record 1 /name:',
    )
    expect(out).toContain('com.example.shop 1.0.0: 1 invalid file\n')
  })

  test('reads an archive as it reads its folder', async () => {
    const folder = await newPlugin()
    await run(['pack', '-o', 'a.zip'], folder)
    expect((await runJson(['validate', 'a.zip'], folder)).json).toEqual(
      (await runJson(['validate'], folder)).json,
    )
  })

  test.each<[string, number, RegExp]>([
    ['.', 2, /has no engineplugin.json; go to a plugin's folder, or make one with "engine init"/],
    ['nope', 2, /There is no file or folder/],
    ['text.zip', 1, /ZIP/],
  ])('says that %s is no plugin', async (path, expected, message) => {
    const folder = await newFolder()
    await writeFile(join(folder, 'text.zip'), 'no archive')
    const { code, err } = await run(['validate', path], folder)
    expect([code, err]).toEqual([expected, expect.stringMatching(message)])
    const { json } = await runJson(['validate', path], folder)
    expect(json).toEqual({ error: expect.stringMatching(message) })
  })
})

describe('pack', () => {
  test('makes the same bytes of the same files, without what no plugin holds', async () => {
    const folder = await newPlugin()
    const { json } = await runJson(['pack'], folder)
    expect(json.file).toBe(join(folder, 'com.example.shop-1.0.0.zip'))
    const first = await readFile(json.file)
    await writeJson(folder, '.git/x.json', {})
    await writeJson(folder, 'node_modules/x.json', {})
    await utimes(join(folder, 'engineplugin.json'), 1, 1)
    expect((await run(['pack', '-o', 'again.zip'], folder)).code).toBe(0)
    expect((await readFile(join(folder, 'again.zip'))).equals(first)).toBe(true)
  })

  test('needs an id', async () => {
    const folder = await newPlugin()
    await writeJson(folder, 'engineplugin.json', {})
    expect(await run(['pack'], folder)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no id/),
    })
    await rm(join(folder, 'engineplugin.json'))
    expect(await run(['pack'], folder)).toMatchObject({ code: 2 })
  })
})

describe('engine', () => {
  test.each<[string[], number]>([
    [['--help'], 0],
    [['plan', '--help'], 0],
    [[], 2],
    [['nope'], 2],
    [['plan', '--nope'], 2],
    [['plan', '--on-conflict', 'win'], 2],
    [['plan', 'a', 'b'], 2],
  ])('%j exits with %i, and says how it is used', async (args, code) => {
    const found = await run(args, await newFolder())
    expect(found.code).toBe(code)
    expect(found.out + found.err).toMatch(/Usage: engine|error: /)
  })

  test.each([{}, { ENGINE_URL: 'http://localhost:1' }, { ENGINE_URL: 'x', ENGINE_API_KEY: 'k' }])(
    'with the settings %j says which is missing',
    async (env) => {
      const { code, err } = await run(['install'], await newPlugin(), { env })
      expect([code, err]).toEqual([2, expect.stringMatching(/ENGINE_(URL|API_KEY)/)])
    },
  )

  test('uses colours on terminals only, unless NO_COLOR is set', async () => {
    const folder = await newPlugin()
    const onTerminal = await run(['validate'], folder, { isTerminal: true })
    expect(onTerminal.out).toContain('\x1b[32mvalid')
    const env = { NO_COLOR: '1', FORCE_COLOR: '1' }
    for (const io of [{}, { isTerminal: true, env }, { env: { CI: 'true', FORCE_COLOR: '1' } }])
      expect((await run(['validate'], folder, io)).out).not.toContain('\x1b')
  })
})
