import { expect, test } from 'vitest'
import { mergeUses } from '../image-uses'

const use = (persistenceId: string, fields: string[]) => ({
  ...{ entity: 'Page', title: persistenceId, persistenceId, fields },
})
const found = { uses: [], hidden: 0, more: [], incomplete: [], complete: true }

test('a record that uses several images is listed once, with all of its fields', () => {
  const merged = mergeUses([
    { ...found, uses: [use('1', ['cover']), use('2', ['body'])] },
    { ...found, uses: [use('1', ['body', 'cover'])] },
  ])
  expect(merged.uses).toEqual([use('1', ['cover', 'body']), use('2', ['body'])])
})

test('what is hidden or was not searched for one of them is not lost', () => {
  const merged = mergeUses([
    { ...found, hidden: 2, more: ['Page'] },
    { ...found, hidden: 3, more: ['Page'], incomplete: ['Log'], complete: false },
  ])
  expect(merged).toEqual({
    ...{ uses: [], hidden: 3, more: ['Page'], incomplete: ['Log'], complete: false },
  })
  expect(mergeUses([])).toEqual(found)
})
