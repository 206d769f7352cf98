import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(join(__dirname, '..', file), 'utf8')
const { version } = JSON.parse(read('package.json'))

/** What the changelog says of each version, the newest first. */
const versions = read('CHANGELOG.md')
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ name: /^\[([^\]]+)\]/.exec(text)?.[1], text }))

test('the version of the package is the newest that the changelog lists', () => {
  const [newest] = versions.filter(({ name }) => name !== 'Unreleased')
  expect(newest?.name).toBe(version)
  expect(JSON.parse(read('package-lock.json')).packages[''].version).toBe(version)
})

test('each version has its date, and says what upgrading asks for', () => {
  for (const { name, text } of versions.filter(({ name }) => name !== 'Unreleased')) {
    expect(text).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d\n/)
    expect(text, name).toContain('### Upgrading\n')
  }
})
