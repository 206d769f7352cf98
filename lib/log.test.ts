import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createLog } from './log'

/** Arguments of Node for a process that logs `count` lines, and then does `afterwards`. */
const logging = (count: number, afterwards: string) => [
  ...['--import', 'tsx', '--input-type', 'module', '--eval'],
  `import { createLog } from './lib/log.ts'
  const log = createLog('info')
  for (let n = 0; n < ${count}; n++) log.info({ n }, 'line')
  ${afterwards}`,
]

test.each([
  ['exits', 'process.exit(0)'],
  ['ends', ''],
  ['fails', "throw new Error('expected')"],
])('no line is lost when the process %s', async (_, afterwards) => {
  const run = promisify(execFile)(process.execPath, logging(1_000, afterwards))
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  const numbers = stdout.split('\n').map((line) => (line === '' ? null : JSON.parse(line).n))
  expect(numbers).toEqual([...Array(1_000).keys(), null])
})

test('a line has no secret, and what is logged is not changed', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const fields = { token: 'a', user: { password: 'b', name: 'Ann' }, cause: null, tokens: 3 }
  log.info(fields, 'line')
  expect(JSON.parse(lines.join())).toMatchObject({
    ...{ token: '[redacted]', user: { password: '[redacted]', name: 'Ann' } },
    ...{ cause: null, tokens: 3 },
  })
  expect(fields).toMatchObject({ token: 'a', user: { password: 'b' } })
})

test('a line of a process that does nothing else is written soon', async () => {
  const child = spawn(process.execPath, logging(1, 'setInterval(() => {}, 60_000)'))
  const [text] = await once(child.stdout, 'data')
  expect(JSON.parse(String(text))).toMatchObject({ n: 0, msg: 'line' })
  child.kill()
})
