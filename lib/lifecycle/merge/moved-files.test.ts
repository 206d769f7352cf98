import { expect, test } from 'vitest'
import { pairPaths } from './moved-files'

const pairs = (fresh: string[], removed: string[]) => Object.fromEntries(pairPaths(fresh, removed))

test.each<[string, string[], string[], Record<string, string>]>([
  [
    'the folder has another name',
    ['Remark/b.json', 'Remark/a.json'],
    ['Note/a.json', 'Note/b.json'],
    { 'Remark/a.json': 'Note/a.json', 'Remark/b.json': 'Note/b.json' },
  ],
  [
    'more of the path decides',
    ['Remark/new/a.json', 'Remark/old/a.json'],
    ['Note/old/a.json', 'Note/new/a.json'],
    { 'Remark/old/a.json': 'Note/old/a.json', 'Remark/new/a.json': 'Note/new/a.json' },
  ],
  [
    'one of two kept its name',
    ['Remark/a.json', 'Remark/all.json'],
    ['Note/a.json', 'Note/data.json'],
    { 'Remark/a.json': 'Note/a.json' },
  ],
  ['one became two', ['Note/a.json', 'Note/b.json'], ['Note/data.json'], {}],
  ['two became one', ['Note/data.json'], ['Note/a.json', 'Note/b.json'], {}],
  ['two have the name', ['Note/a.json'], ['Note/1/a.json', 'Note/2/a.json'], {}],
  ['nothing is new', [], ['Note/a.json'], {}],
])('files are told by their paths where %s', (_, fresh, removed, expected) => {
  expect(pairs(fresh, removed)).toEqual(expected)
})
