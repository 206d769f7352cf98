import { describe, expect, test } from 'vitest'
import { BLIND, guess, remove } from './testing/unreadable'

describe.each(BLIND)('a caller %s', (_, headersOf) => {
  test.each([
    ['a dry run by conditions', { query: guess }, 'dryRun=true'],
    ['a dry run by the other name of conditions', { filters: guess }, 'dryRun=true'],
    ['a dry run of everything', {}, 'dryRun=true'],
    ['a deletion by conditions', { query: guess }, ''],
    ['a deletion by nested conditions', { query: [{ operator: 'not', filters: guess }] }, ''],
    ['a deletion into the trash by conditions', { query: guess }, 'undo=7d'],
    ['an expected number', {}, 'expected=7'],
    ['conditions on a field that is not there', { query: [{ ...guess[0], field: 'x' }] }, ''],
  ])('learns nothing by %s', async (_name, body, query) => {
    const response = await remove(await headersOf(), body, query)
    expect(response.status).toBe(403)
    expect(response.body.error).toMatch(/"Secret(:read)?"/)
    expect(response.text).not.toContain('word')
  })
})
