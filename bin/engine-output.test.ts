import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { newPlugin, writeJson } from './testing/cli'
import { ENGINE, ENV, engine } from './testing/engine-command'

describe('engine, from another folder', () => {
  test('reads large files, and exits with the code of the outcome', async () => {
    const folder = await newPlugin()
    const records = Array.from({ length: 5_000 }, (_, n) => ({
      id: `s${n}`,
      name: 'x'.repeat(100),
    }))
    await writeJson(folder, 'Shoe/data.json', [...records, { id: 'last' }])
    const { code, stdout } = await engine(['validate', '--json'], folder)
    const { files } = JSON.parse(stdout)
    expect([code, files.at(-1).details[0].index]).toEqual([1, 5_000])
  })

  test('ends in silence when nobody reads its output any more', async () => {
    const child = spawn(process.execPath, [ENGINE, '--help'], { env: ENV })
    child.stdout.destroy()
    const errors = child.stderr.setEncoding('utf8').toArray()
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(await errors).toEqual([])
  })
})
