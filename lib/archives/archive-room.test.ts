import { expect, test } from 'vitest'
import { ArchiveRoom } from './variables'

/** Takes up to `wanted` bytes for a file; returns how many there were to take. */
const take = (room: ArchiveRoom, path: string, wanted: number) =>
  room.take(path, 100, (left) => {
    const had = left.bytes
    left.bytes -= Math.min(wanted, had)
    return had
  })

test('all files of an archive share one room, of which each may take so much', () => {
  const room = new ArchiveRoom(150)
  expect([take(room, 'a', 90), take(room, 'b', 40), take(room, 'b', 40)]).toEqual([100, 60, 20])
  expect(take(room, 'c', 1)).toBe(0)
})

test('a file that is read again releases what it took before', () => {
  const room = new ArchiveRoom(150)
  take(room, 'a', 90)
  take(room, 'b', 60)
  room.begin('a')
  expect(take(room, 'a', 90)).toBe(90)
  room.begin('c')
  expect(take(room, 'c', 1)).toBe(0)
})

test('what a failed reading took is gone until the file is read again', () => {
  const room = new ArchiveRoom(50)
  const fail = () =>
    room.take('a', 100, (left) => {
      left.bytes -= 30
      throw new Error('too much')
    })
  expect(fail).toThrow('too much')
  expect(take(room, 'b', 0)).toBe(20)
})
