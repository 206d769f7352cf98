import { expect, test } from 'vitest'
import { LAST_LSN, lsnText, parseLsn, WrittenPositions } from './log-position'

const written = (...noted: [lsn: bigint, at: number][]) => {
  const positions = new WrittenPositions(10)
  for (const [lsn, at] of noted) positions.note(lsn, at)
  return positions
}

test('a replica shows what was committed before its position was written', () => {
  const positions = written([100n, 0], [200n, 250], [300n, 500])
  expect(positions.shownBy(99n)).toBe(-Infinity)
  expect(positions.shownBy(100n)).toBe(0)
  expect(positions.shownBy(299n)).toBe(250)
  expect(positions.shownBy(300n)).toBe(500)
  expect(positions.shownBy(400n)).toBe(500)
})

test('while nothing is written, a replica that has replayed all does not grow old', () => {
  const positions = written([100n, 0], [200n, 250], [200n, 500], [200n, 60_000])
  expect(positions.shownBy(200n)).toBe(60_000)
  expect(positions.shownBy(199n)).toBe(0)
})

test('frequent looks take no memory, and make no replica look fresher than it is', () => {
  const positions = new WrittenPositions(10)
  for (let at = 0; at < 60_000; at++) positions.note(BigInt(at), at)
  expect(positions.shownBy(59_999n)).toBe(59_999)
  const shown = positions.shownBy(58_000n)
  expect(shown).toBeLessThanOrEqual(58_000)
  expect(shown).toBeGreaterThanOrEqual(58_000 - 20)
  expect(positions.firstAt).toBeGreaterThan(0)
})

test('another log begins with nothing known', () => {
  const positions = written([100n, 0])
  positions.clear()
  expect(positions.shownBy(LAST_LSN)).toBe(-Infinity)
  expect(positions.firstAt).toBeNull()
})

test.each([
  ['0/0', 0n],
  ['16/B374D848', 0x16b374d848n],
  ['1/00000A', 0x10000000an],
  ['FFFFFFFF/FFFFFFFF', LAST_LSN],
])('the position %s is read and written', (text, lsn) => {
  expect(parseLsn(text)).toBe(lsn)
  expect(parseLsn(lsnText(lsn))).toBe(lsn)
})

test.each(['', '0', '0/', '/0', '0/0/0', 'g/0', '0/123456789', ' 0/0', '0/0 '])(
  '%j is no position',
  (text) => expect(parseLsn(text)).toBeNull(),
)
