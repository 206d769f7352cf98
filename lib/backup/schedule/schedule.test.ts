import { expect, test } from 'vitest'
import { isDue } from './due'
import { isDraft, momentOf, nameAt } from './file-names'
import { outdated } from './retention'

const at = (text: string) => Date.parse(`${text}Z`) / 1000
const TIMES = [150, 845]

test.each([
  ['without any backup', null, '2026-03-01T00:00', true],
  [
    'before the first time of the day, after the last one',
    '2026-02-28T14:06',
    '2026-03-01T02:29',
    false,
  ],
  [
    'before the first time of the day, the last one missed',
    '2026-02-28T14:04',
    '2026-03-01T02:29',
    true,
  ],
  ['at the first time', '2026-02-28T14:06', '2026-03-01T02:30', true],
  ['between both, when made', '2026-03-01T02:31', '2026-03-01T14:04', false],
  ['at the second time', '2026-03-01T02:31', '2026-03-01T14:05', true],
  ['days later', '2026-03-01T02:31', '2026-03-09T00:00', true],
])('%s', (_, last, now, due) => {
  expect(isDue(TIMES, last === null ? null : at(last), at(now))).toBe(due)
})

test('without times none is due', () => {
  expect(isDue([], null, at('2026-03-01T02:30'))).toBe(false)
})

test('a name tells its moment, and no other name does', () => {
  const moment = new Date('2026-03-01T02:30:07.123Z')
  expect(momentOf(nameAt(moment))?.toISOString()).toBe('2026-03-01T02:30:07.000Z')
  for (const name of ['engine.tar.enc', `x${nameAt(moment)}`, `${nameAt(moment)}.verified`])
    expect(momentOf(name)).toBeNull()
  expect(isDraft(`.${nameAt(moment)}.0a1b2c3d.half`)).toBe(true)
  expect(isDraft(nameAt(moment))).toBe(false)
})

const named = (...moments: string[]) => moments.map((text) => nameAt(new Date(`${text}:00Z`)))
const YEARS = Array.from({ length: 800 }, (_, day) =>
  nameAt(new Date(Date.parse('2026-03-01T02:30Z') - day * 86_400_000)),
)

test('of two years, the last of days, weeks and months are kept', () => {
  const old = new Set(outdated(YEARS, { days: 7, weeks: 4, months: 12 }))
  const kept = YEARS.flatMap((name) => (old.has(name) ? [] : [name.slice(7, 17)]))
  expect(kept).toEqual([
    ...[
      '2026-03-01',
      '2026-02-28',
      '2026-02-27',
      '2026-02-26',
      '2026-02-25',
      '2026-02-24',
      '2026-02-23',
    ],
    // Sundays, and the last days of months.
    ...['2026-02-22', '2026-02-15', '2026-02-08'],
    ...['2026-01-31', '2025-12-31', '2025-11-30', '2025-10-31', '2025-09-30', '2025-08-31'],
    ...['2025-07-31', '2025-06-30', '2025-05-31', '2025-04-30'],
  ])
})

test('all of the last 24 hours are kept, and other files are none of ours', () => {
  const files = named(
    '2026-03-01T02:30',
    '2026-02-28T14:05',
    '2026-02-28T02:30',
    '2026-02-27T14:05',
  )
  const others = ['notes.txt', 'engine-before-upgrade.tar', `${files[3]}.verified`]
  expect(outdated([...files, ...others], { days: 1, weeks: 0, months: 0 })).toEqual(files.slice(2))
})

test('days without a backup do not count', () => {
  const files = named(
    '2026-03-01T02:30',
    '2025-12-01T02:30',
    '2025-06-01T02:30',
    '2024-01-01T02:30',
  )
  expect(outdated(files, { days: 3, weeks: 0, months: 0 })).toEqual(files.slice(3))
})
