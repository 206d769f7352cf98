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

test('an action is words with or without its object, also one that is not known here', () => {
  expect([wordsOf('images.upload'), eventWords('images.upload')]).toEqual([
    'Uploaded the image',
    'Image uploaded',
  ])
  expect(['views.create', 'imports.create', 'mails.bounced'].map(eventWords)).toEqual([
    'View saved',
    'Import started',
    'Mail bounced',
  ])
  expect(eventWords('records.delete')).toBe('Records deleted')
  expect(wordsOf('kites.fly-off')).toBe('Kites: fly off')
})

test('what concerns many records says how many', () => {
  expect(countIn({ action: 'records.delete', details: { count: 25_000 } })).toBe('25,000 records')
  expect(countIn({ action: 'records.delete', details: { count: 1 } })).toBe('1 record')
  expect(countIn({ action: 'users.create', details: { count: 5 } })).toBe('')
  expect(countIn({ action: 'records.update', details: null })).toBe('')
})
