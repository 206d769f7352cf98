import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPlugin, writeJson } from './testing/cli'
import { runningEngine } from './testing/engine'

const run = promisify(execFile)
const { PATH, NODE_ENV } = process.env
const { env } = runningEngine()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-packed-'))
  const pack = ['pack', '--pack-destination', folder, '--foreground-scripts=false', '--json']
  const { stdout } = await run('npm', pack, { cwd: join(__dirname, '..') })
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  await run('tar', ['-xzf', join(folder, filename), '-C', folder])
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs the packed command with plain Node, without any other package. */
const engine = (args: string[], cwd: string) =>
  run(process.execPath, [join(folder, 'package', 'bin', 'engine.mjs'), ...args], {
    cwd,
    env: { PATH, NODE_ENV, ...env },
  }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout, stderr }) => ({ code, out: `${stdout}${stderr}` }),
  )

test('the packed command validates, also large files, and installs with Node alone', async () => {
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
