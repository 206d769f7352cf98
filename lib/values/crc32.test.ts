import { expect, test } from 'vitest'
import { crc32, crc32InScript } from './crc32'

test.each([
  ['this Node’s', crc32],
  ['the script’s', crc32InScript],
])('%s CRC-32 has the known check value, also in pieces', (_, checksum) => {
  const digits = new TextEncoder().encode('123456789')
  expect(checksum(digits)).toBe(0xcbf43926)
  expect(checksum(digits.subarray(4), checksum(digits.subarray(0, 4)))).toBe(0xcbf43926)
  expect(checksum(new Uint8Array())).toBe(0)
})
