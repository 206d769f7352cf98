import { expect, test } from 'vitest'
import { formatBytes } from './format-bytes'

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [100_000, '97.7 KiB'],
  [1024 * 1024, '1 MiB'],
  [16.5 * 1024 * 1024, '16.5 MiB'],
  [3 * 1024 ** 3, '3 GiB'],
  [5000 * 1024 ** 4, '5000 TiB'],
])('%d bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
