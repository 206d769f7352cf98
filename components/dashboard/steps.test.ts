import { expect, test } from 'vitest'
import { stepsOf } from './steps'

const NOTHING = { plugins: 0, users: 1, keys: 0, sendsMail: false, hasCloudStorage: false }
const done = (known: object) =>
  stepsOf({ ...NOTHING, ...known }).flatMap(({ name, isDone }) => (isDone ? [name] : []))

test('nothing is done at first, with the first administrator alone', () => {
  expect(done({})).toEqual([])
})

test('each step is done by what it asks for', () => {
  expect(done({ plugins: 1 })).toEqual(['plugin'])
  expect(done({ users: 2 })).toEqual(['user'])
  expect(done({ keys: 1 })).toEqual(['key'])
  expect(done({ sendsMail: true, hasCloudStorage: true })).toEqual(['mail', 'storage'])
})
