import { expect, test } from 'vitest'
import { newPlugin, run, writeJson } from '../testing/cli'
import { runningEngine } from '../testing/engine'

const { env } = runningEngine()

/** Watches a folder; `next` waits for one more line of its output. */
function watching(folder: string) {
  const stop = new AbortController()
  const lines: string[] = []
  const out = (text: string) => void lines.push(...text.trimEnd().split('\n'))
  const done = run(['watch', '--json'], folder, { env, out, signal: stop.signal })
  const next = async () => {
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    return JSON.parse(lines.shift() ?? '')
  }
  return { next, stop: () => stop.abort(), done }
}

test('a plugin is installed at once and after every save, also after one that failed', async () => {
  const folder = await newPlugin()
  const { next, stop, done } = watching(folder)
  expect(await next()).toMatchObject({ history: 1, failedCount: 0 })
  await writeJson(folder, 'Shoe/data.json', [
    { id: 'a', name: 'A' },
    { id: 'b', name: 'B' },
  ])
  expect((await next()).files.at(-1)).toMatchObject({ records: { created: 2 } })
  await writeJson(folder, 'engineplugin.json', { id: 'nope' })
  expect(await next()).toEqual({ error: expect.stringContaining('reverse-domain') })
  await writeJson(folder, 'engineplugin.json', { id: 'com.example.shop', version: '2' })
  expect(await next()).toMatchObject({ history: 3, failedCount: 0 })
  stop()
  expect(await done).toMatchObject({ code: 0 })
})
