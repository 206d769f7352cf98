import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runByTestNode } from './test-node.mjs'

const folder = mkdtempSync(join(tmpdir(), 'engine-node-'))
afterAll(() => rmSync(folder, { recursive: true }))
const shown = join(folder, 'shown')
const other = join(folder, 'node')
writeFileSync(other, `#!/bin/sh\necho "$@" "$TEST_NODE" "$PATH" > ${shown}\nexit 3\n`)
chmodSync(other, 0o755)

test('tests run by another Node when one is given, with all that they start', async () => {
  const code = await runByTestNode('test.mjs', ['--fast'], { PATH: '/bin', TEST_NODE: other })
  expect(code).toBe(3)
  expect(readFileSync(shown, 'utf8').trim()).toBe(`test.mjs --fast  ${folder}:/bin`)
})

test('tests run by this Node when no other one is given', async () => {
  expect(await runByTestNode('test.mjs', [], {})).toBeNull()
  expect(await runByTestNode('test.mjs', [], { TEST_NODE: '' })).toBeNull()
  expect(await runByTestNode('test.mjs', [], { TEST_NODE: process.execPath })).toBeNull()
})

test('a Node that is missing is no reason to test by another one', async () => {
  const missing = { TEST_NODE: join(folder, 'missing') }
  await expect(runByTestNode('test.mjs', [], missing)).rejects.toThrow('missing')
})
