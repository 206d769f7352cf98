import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

const RUN = new URL('./run.mjs', import.meta.url).href
const NODE = JSON.stringify(process.execPath)

/** Starts a process of its own, prints both pids and stays. */
const STAYING = `
  const child = require('node:child_process').spawn(${NODE}, ['-e', 'setInterval(() => {}, 1000)'])
  console.log(process.pid + ' ' + child.pid)
  setInterval(() => {}, 1000)`

const script = (body: string) =>
  spawn(process.execPath, ['--input-type=module', '-e', `import { run } from '${RUN}';${body}`])

/** A dead process whose new parent does not ask for it counts as dead. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/\) Z /.test(existsSync('/proc') ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '')
  } catch {
    return false
  }
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends a step with all that it has started',
  async (signal) => {
    const parent = script(`await run(${NODE}, ['-e', ${JSON.stringify(STAYING)}])`)
    const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]()
    const pids = String((await lines.next()).value)
      .split(' ')
      .map(Number)
    expect(pids.map(isAlive)).toEqual([true, true])
    const code = new Promise((resolve) => parent.once('exit', resolve))
    parent.kill(signal)
    expect(await code).toBeGreaterThan(128)
    await expect.poll(() => pids.some(isAlive)).toBe(false)
  },
)

test('a step that ends leaves nothing to be ended', async () => {
  const parent = script(`
    const listeners = () =>
      ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name)).join()
    const before = listeners()
    const code = await run(${NODE}, ['-e', 'process.exit(3)'])
    process.exit(code === 3 && listeners() === before ? 0 : 1)`)
  expect(await new Promise((resolve) => parent.once('exit', resolve))).toBe(0)
})
