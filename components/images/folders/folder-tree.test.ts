import { expect, test } from 'vitest'
import { foldersWith, folderTree, pathsAbove, rowsOf } from './folder-tree'

const TREE = folderTree([
  { value: '', count: 9 },
  { value: 'shop/shoes', count: 4 },
  { value: 'shop', count: 1 },
  { value: 'shop/shoes/red', count: 2 },
  { value: 'press/2026', count: 3 },
  { value: 'shopping', count: 5 },
])
const lines = (open: (path: string) => boolean, tree = TREE) =>
  rowsOf(tree, open).map(
    ({ folder, level, place, siblings }) =>
      `${level} ${folder.path} ${folder.count} ${place}/${siblings}`,
  )

test('a folder counts what is below it, and parents without images are there', () => {
  expect(lines(() => true)).toEqual([
    '1 press 3 1/3',
    '2 press/2026 3 1/1',
    '1 shop 7 2/3',
    '2 shop/shoes 6 1/1',
    '3 shop/shoes/red 2 1/1',
    '1 shopping 5 3/3',
  ])
})

test('only what is below open folders is shown', () => {
  expect(lines((path) => path === 'shop')).toEqual([
    '1 press 3 1/3',
    '1 shop 7 2/3',
    '2 shop/shoes 6 1/1',
    '1 shopping 5 3/3',
  ])
})

test('folders are found by any part of their path', () => {
  const found = foldersWith(TREE, ' RED')
  expect(lines(() => true, found)).toEqual([
    '1 shop 7 1/1',
    '2 shop/shoes 6 1/1',
    '3 shop/shoes/red 2 1/1',
  ])
  expect(foldersWith(TREE, 'nothing')).toEqual([])
  expect(foldersWith(TREE, '')).toEqual(TREE)
})

test('the way to a folder', () => {
  expect(pathsAbove('a/b/c')).toEqual(['a', 'a/b'])
  expect(pathsAbove('a')).toEqual([])
})
