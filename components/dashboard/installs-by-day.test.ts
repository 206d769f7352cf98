import { expect, test } from 'vitest'
import { DAYS, firstDay, installsByDay } from './installs-by-day'

const NOW = Date.parse('2026-03-30T15:00:00Z')

test('counts installs by day and outcome, with the days on which nothing happened', () => {
  const days = installsByDay(
    [
      { startedAt: '2026-03-30T00:00:00.000Z', status: 'SUCCESS' },
      { startedAt: '2026-03-30T14:00:00.000Z', status: 'FAILED' },
      { startedAt: '2026-03-29T23:59:59.999Z', status: 'PARTIAL' },
      { startedAt: '2026-03-30T14:59:00.000Z', status: 'IN_PROGRESS' },
      { startedAt: '2026-02-01T00:00:00.000Z', status: 'SUCCESS' },
    ],
    NOW,
  )
  expect(days).toHaveLength(DAYS)
  expect(days[0]?.day).toBe('2026-03-01')
  expect(days.slice(-2)).toEqual([
    { day: '2026-03-29', good: 0, partial: 1, failed: 0 },
    { day: '2026-03-30', good: 1, partial: 0, failed: 1 },
  ])
  expect(firstDay(NOW)).toBe('2026-03-01T00:00:00.000Z')
})
