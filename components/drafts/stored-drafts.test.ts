// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { dropDraft, dropDraftsOf, readDraft, writeDraft } from './stored-drafts'

const DAY_MS = 24 * 60 * 60_000
const key = (form: string, userId = 'ann') => ({ userId, form })
const draft = (values: unknown, savedAt = Date.now()) => ({ savedAt, version: '"1"', values })

beforeEach(() => localStorage.clear())

test('a draft is that of one form of one user', () => {
  writeDraft(key('record A 1'), draft({ title: 'x' }))
  expect(readDraft(key('record A 1'))).toMatchObject({ version: '"1"', values: { title: 'x' } })
  expect(readDraft(key('record A 2'))).toBeNull()
  expect(readDraft(key('record A 1', 'bob'))).toBeNull()
  dropDraft(key('record A 1'))
  expect(readDraft(key('record A 1'))).toBeNull()
})

test('old drafts count no longer, and go when another is kept', () => {
  writeDraft(key('old'), draft('a', Date.now() - 8 * DAY_MS))
  expect(readDraft(key('old'))).toBeNull()
  writeDraft(key('new'), draft('b'))
  expect(Object.keys(localStorage)).toHaveLength(1)
})

test('the latest thirty are kept', () => {
  for (let at = 0; at < 40; at++) writeDraft(key(`form ${at}`), draft(at, Date.now() - 1000 + at))
  expect(Object.keys(localStorage)).toHaveLength(30)
  expect(readDraft(key('form 9'))).toBeNull()
  expect(readDraft(key('form 10'))?.values).toBe(10)
})

test('a draft that grew too large leaves no older one behind', () => {
  writeDraft(key('json'), draft('small'))
  writeDraft(key('json'), draft('x'.repeat(100_001)))
  expect(readDraft(key('json'))).toBeNull()
})

test('signing out takes the drafts of the user, and nothing else', () => {
  writeDraft(key('a'), draft(1))
  writeDraft(key('a', 'bob'), draft(2))
  localStorage.setItem('layout', '{}')
  dropDraftsOf('ann')
  expect(readDraft(key('a'))).toBeNull()
  expect(readDraft(key('a', 'bob'))?.values).toBe(2)
  expect(localStorage.getItem('layout')).toBe('{}')
})

test('what is no draft is none', () => {
  localStorage.setItem('engine:draft:1:ann:a', '{')
  expect(readDraft(key('a'))).toBeNull()
})
