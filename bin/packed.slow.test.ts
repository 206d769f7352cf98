import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newFolder, newPlugin, writeJson } from './testing/cli'
import { runningEngine } from './testing/engine'
import { ROOT } from './testing/engine-command'

const run = promisify(execFile)
const { PATH, NODE_ENV } = process.env
const { env } = runningEngine()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-packed-'))
  await run('npm', ['run', 'pack:command', '--', '--pack-destination', folder], { cwd: ROOT })
  const [archive = ''] = await readdir(folder)
  await run('npm', ['init', '--yes'], { cwd: folder })
  const install = ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`]
  await run('npm', install, { cwd: folder })
}, 120_000)
afterAll(() => rm(folder, { recursive: true }))

/** Runs the installed command. */
const engine = (args: string[], cwd: string) =>
  run(join(folder, 'node_modules', '.bin', 'engine'), args, {
    cwd,
    env: { PATH, NODE_ENV, ...env },
  }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout, stderr }) => ({ code, out: `${stdout}${stderr}` }),
  )

test('the packed command is one package, which no other and no npm registry is needed for', async () => {
  const packages = await readdir(join(folder, 'node_modules'))
  expect(packages.filter((name) => !name.startsWith('.'))).toEqual(['engine'])
  const manifest = await readFile(join(folder, 'node_modules/engine/package.json'), 'utf8')
  expect(JSON.parse(manifest)).not.toHaveProperty('dependencies')
})

test('it says what it can, begins a plugin and packs it', async () => {
  const plugin = await newFolder()
  expect(await engine(['--help'], plugin)).toMatchObject({
    code: 0,
    out: expect.stringContaining('init'),
  })
  expect((await engine(['init', '--id', 'com.example.shop'], plugin)).code).toBe(0)
  expect((await engine(['pack'], plugin)).code).toBe(0)
  expect(await readdir(plugin)).toContain('com.example.shop-1.0.0.zip')
})

test('it validates, also large files, and installs', async () => {
  const plugin = await newPlugin()
  const records = Array.from({ length: 5_000 }, (_, n) => ({ id: `s${n}`, name: 'x'.repeat(100) }))
  await writeJson(plugin, 'Shoe/data.json', records)
  expect(await engine(['validate'], plugin)).toMatchObject({ code: 0 })
  expect(await engine(['install'], plugin)).toMatchObject({
    code: 0,
    out: expect.stringContaining('install 1 in the history'),
  })
  expect(await engine(['nonsense'], plugin)).toMatchObject({ code: 2 })
})

test('the application is not packed in its place', async () => {
  const packed = run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT })
  await expect(packed).rejects.toMatchObject({ stderr: expect.stringContaining('pack:command') })
})
