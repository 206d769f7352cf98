import { afterEach, expect, test } from 'vitest'
import { addUnsaved, leave, losesOnPage, losesOnUnload, useQuestion } from './unsaved'

const asked = () => useQuestion.getState().asked
const releases: (() => void)[] = []
afterEach(() => {
  asked()?.onKeep()
  for (const release of releases.splice(0)) release()
})

function add(id: string, outlivesPages = false) {
  const discarded: string[] = []
  const entry = { what: `${id} is not saved`, outlivesPages, discard: () => discarded.push(id) }
  releases.push(addUnsaved(id, entry))
  return discarded
}

/** Asks to leave; returns how often it was done. */
function tryToLeave(id?: string) {
  const done: true[] = []
  leave(() => done.push(true), id)
  return done
}

test('nothing is asked when nothing is unsaved', () => {
  expect(tryToLeave()).toHaveLength(1)
  expect(asked()).toBeNull()
})

test('what is unsaved is named; discarding it goes on, keeping it does not', () => {
  const discarded = add('the form')
  const left = tryToLeave()
  expect(asked()?.what).toEqual(['the form is not saved'])
  asked()?.onKeep()
  expect([left.length, discarded.length, losesOnPage()]).toEqual([0, 0, true])

  const again = tryToLeave()
  asked()?.onDiscard()
  expect([again.length, discarded.length, losesOnPage()]).toEqual([1, 1, false])
  expect(asked()).toBeNull()
})

test('a form that closes asks about itself alone', () => {
  add('the page')
  expect(tryToLeave('the dialog')).toHaveLength(1)
  const left = tryToLeave('the page')
  expect(left).toHaveLength(0)
})

test('while a question is open nothing is left', () => {
  add('the form')
  const first = tryToLeave()
  const second = tryToLeave('another')
  asked()?.onDiscard()
  expect([first.length, second.length]).toEqual([1, 0])
})

test('what outlives pages is lost with the tab only', () => {
  add('the upload', true)
  expect(tryToLeave()).toHaveLength(1)
  expect([losesOnPage(), losesOnUnload()]).toEqual([false, true])
})
