import { expect, test } from 'vitest'
import { parseRecords, withRecord } from './recent-records'

const record = (id: string, title = `Record ${id}`) => ({ entity: 'Town', id, title })

test('the latest comes first, once, and five are kept', () => {
  const five = ['1', '2', '3', '4', '5'].map((id) => record(id))
  const after = withRecord(five, record('3', 'Other title'))
  expect(after.map(({ id }) => id)).toEqual(['3', '1', '2', '4', '5'])
  expect(after[0]?.title).toBe('Other title')
  expect(withRecord(five, record('6')).map(({ id }) => id)).toEqual(['6', '1', '2', '3', '4'])
  expect(withRecord(five, { ...record('1'), entity: 'Land' })).toHaveLength(5)
})

test('a long title is cut, and broken storage counts as nothing', () => {
  expect(withRecord([], record('1', 'x'.repeat(500)))[0]?.title).toHaveLength(80)
  for (const text of [null, '{', '7', '[{"entity":1}]']) expect(parseRecords(text)).toEqual([])
})
