import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ACTION_CODES, countIn, eventWords, wordsOf } from './action-words'

const sources = readdirSync('lib', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$/.test(path))
  .map((path) => readFileSync(join('lib', path), 'utf8'))

test('each action that the server notes has words', () => {
  const noted = sources.flatMap((text) => [
    ...text.matchAll(/(?:action: |entryOf\(|recorded\(tx, )'([a-z-]+\.[a-z-]+)'/g),
  ])
  const codes = [...new Set(noted.map(([, code = '']) => code))]
  expect(codes.length).toBeGreaterThan(20)
  expect(codes.filter((code) => !ACTION_CODES.includes(code))).toEqual([])
})

const entry = (action: string, details: Record<string, unknown> | null = null) => ({
  action,
  details,
})

test('an action is words with or without its object, also one that is not known here', () => {
  expect([wordsOf(entry('images.upload')), eventWords(entry('images.upload'))]).toEqual([
    'Uploaded the image',
    'Image uploaded',
  ])
  const codes = ['views.create', 'imports.create', 'mails.bounced']
  expect(codes.map((code) => eventWords(entry(code)))).toEqual([
    'View saved',
    'Import started',
    'Mail bounced',
  ])
  expect(eventWords(entry('records.delete'))).toBe('Records deleted')
  expect(wordsOf(entry('kites.fly-off'))).toBe('Kites: fly off')
})

test('what was undone is named, with all records that it concerned', () => {
  const undone = entry('records.restore', { kind: 'import', restored: 2, removed: 3 })
  expect([eventWords(undone), wordsOf(undone), countIn(undone)]).toEqual([
    'Import undone',
    'Undid an import into',
    '5 records',
  ])
  expect(eventWords(entry('records.restore', { kind: 'edit' }))).toBe('Change undone')
  expect(eventWords(entry('records.restore', { restored: 1 }))).toBe('Records restored')
})

test('what concerns many records says how many', () => {
  expect(countIn({ action: 'records.delete', details: { count: 25_000 } })).toBe('25,000 records')
  expect(countIn({ action: 'records.delete', details: { count: 1 } })).toBe('1 record')
  expect(countIn({ action: 'users.create', details: { count: 5 } })).toBe('')
  expect(countIn({ action: 'records.update', details: null })).toBe('')
})
