import { expect, test } from 'vitest'
import { GroupedWork } from './grouped-work'

/** Groups that end when told to; the result of an item is its text in capitals. */
function groups(more: { waitLimitMs?: number; apart?: (item: string) => unknown } = {}) {
  const begun: { items: string[]; end: (error?: Error) => void }[] = []
  const work = new GroupedWork<string, string>(
    (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) =>
          error ? reject(error) : resolve(items.map((item) => item.toUpperCase()))
        begun.push({ items, end })
      }),
    { maxItems: 3, waitLimitMs: 60_000, ...more },
  )
  const items = () => begun.map((group) => group.items)
  return { work, begun, items }
}

test('items of one turn are a group, those that come meanwhile the next, none too large', async () => {
  const { work, begun, items } = groups()
  const first = ['a', 'b'].map((item) => work.add(item))
  await expect.poll(items).toEqual([['a', 'b']])
  const later = ['c', 'd', 'e', 'f'].map((item) => work.add(item))
  begun[0]?.end()
  expect(await Promise.all(first)).toEqual(['A', 'B'])
  await expect.poll(items).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ])
  begun[1]?.end()
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.end()
  expect(await Promise.all(later)).toEqual(['C', 'D', 'E', 'F'])
  await expect.poll(() => work.isIdle).toBe(true)
})

test('a group that fails fails its items alone', async () => {
  const { work, begun } = groups()
  const first = work.add('a')
  await expect.poll(() => begun.length).toBe(1)
  const second = work.add('b')
  begun[0]?.end(new Error('full'))
  await expect(first).rejects.toThrow('full')
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.end()
  expect(await second).toBe('B')
})

test('a group that takes long does not hold up the next', async () => {
  const { work, begun } = groups({ waitLimitMs: 1 })
  const slow = work.add('a')
  await expect.poll(() => begun.length).toBe(1)
  const next = work.add('b')
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.end()
  expect(await next).toBe('B')
  begun[0]?.end()
  expect(await slow).toBe('A')
})

test('items that are to be apart are in different groups, in their order', async () => {
  const { work, begun, items } = groups({ apart: (item) => item[0] })
  const all = ['a1', 'b1', 'a2', 'c1', 'a3'].map((item) => work.add(item))
  for (const at of [0, 1, 2]) {
    await expect.poll(() => begun.length).toBe(at + 1)
    begun[at]?.end()
  }
  expect(items()).toEqual([['a1', 'b1'], ['a2', 'c1'], ['a3']])
  expect(await Promise.all(all)).toEqual(['A1', 'B1', 'A2', 'C1', 'A3'])
})
