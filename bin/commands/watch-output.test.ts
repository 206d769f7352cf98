import { expect, test } from 'vitest'
import { newPlugin, run } from '../testing/cli'
import { runningEngine } from '../testing/engine'

const { env } = runningEngine()

test('the changes of each install are shown', async () => {
  const folder = await newPlugin()
  const stop = new AbortController()
  let text = ''
  const out = (more: string) => {
    text += more
  }
  const done = run(['watch'], folder, { env, out, signal: stop.signal })
  await expect.poll(() => text).toMatch(/install 1 in the history\n$/)
  expect(text).toMatch(
    /^Watching .*\(com.example.shop\).*\nPlan of com.example.shop 1.0.0\ncreated/,
  )
  stop.abort()
  expect((await done).code).toBe(0)
})
