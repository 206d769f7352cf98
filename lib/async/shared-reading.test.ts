import { expect, test } from 'vitest'
import { SharedReading } from './shared-reading'

/** Readings that end when told to; each returns its number. */
function readings() {
  const ends: ((fails?: boolean) => void)[] = []
  const shared = new SharedReading(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = ends.length + 1
        ends.push((fails) => (fails ? reject(new Error(`reading ${number}`)) : resolve(number)))
      }),
  )
  const begun = (count: number) => expect.poll(() => ends.length).toBe(count)
  return { shared, ends, begun }
}

test('calls of one turn share a reading, those during it share the next', async () => {
  const { shared, ends, begun } = readings()
  const first = [shared.get(), shared.get()]
  await begun(1)
  const second = [shared.get(), shared.get()]
  ends[0]?.()
  expect(await Promise.all(first)).toEqual([1, 1])
  await begun(2)
  ends[1]?.()
  expect(await Promise.all(second)).toEqual([2, 2])
  expect(shared.isIdle).toBe(true)
})

test('the next reading does not begin before the running one has ended', async () => {
  const { shared, ends, begun } = readings()
  const first = shared.get()
  await begun(1)
  const second = shared.get()
  await new Promise((resolve) => setImmediate(resolve))
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await first
  await begun(2)
  ends[1]?.()
  expect(await second).toBe(2)
})

test('a reading that fails fails its calls alone', async () => {
  const { shared, ends, begun } = readings()
  const first = shared.get()
  await begun(1)
  const second = shared.get()
  ends[0]?.(true)
  await expect(first).rejects.toThrow('reading 1')
  await begun(2)
  ends[1]?.()
  expect(await second).toBe(2)
})
