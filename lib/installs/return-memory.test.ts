import { expect, test } from 'vitest'
import { returnMemory } from './running-installs'

const BYTES = 64 * 1024 * 1024

test('what nothing refers to is returned without waiting for a need of memory', async () => {
  const held = { bytes: new Uint8Array(BYTES) as Uint8Array | null }
  const before = process.memoryUsage().arrayBuffers
  expect(before).toBeGreaterThanOrEqual(BYTES)
  held.bytes = null
  returnMemory(0)
  await expect.poll(() => process.memoryUsage().arrayBuffers).toBeLessThanOrEqual(before - BYTES)
})
