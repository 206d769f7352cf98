import { describe, expect, test } from 'vitest'
import { withBudget } from '@/lib/db/budget'
import { prepareRecords } from '@/lib/rows/prepare-records'
import { plainEntity } from '@/lib/testing/plain-entity'
import { parseSchemaDefinition } from './parse-schema-definition'
import { storedPattern, textPattern } from './text-pattern'

const SLOW = '[ab]*a[ab]{900}[x-z]'

const faultsOf = (...properties: object[]) => {
  const named = properties.map((property, at) => ({
    name: `field${at}`,
    type: 'string',
    ...property,
  }))
  const parsed = parseSchemaDefinition({ name: 'X', properties: named } as never)
  return 'faults' in parsed ? parsed.faults : []
}

describe('a pattern', () => {
  test('takes no text that is longer than its steps allow', () => {
    const { maxChars, isFoundIn } = textPattern(SLOW)
    expect(maxChars).toBeGreaterThan(700)
    expect(maxChars).toBeLessThan(1_000)
    expect(isFoundIn(`${'a'.repeat(950)}x`)).toBe(true)
    expect(textPattern('^[A-Z]+$').maxChars).toBeGreaterThan(100_000)
    expect(textPattern('^.{1,1000}$').maxChars).toBeGreaterThan(1_000)
    expect(textPattern('^.{1,1000}|b$').maxChars).toBeLessThan(400)
  })

  test.each([
    ['of too many steps', 'a{1000}b{1000}c{1000}', /too complex: 300\d steps, at most 2500/],
    ['of wide ranges without case', `(?i)${'[B-𞥃]'.repeat(11)}`, /too complex: 11 ranges/],
    ['of many characters', 'a'.repeat(1_001), /./],
    ['of another engine', '(?=a)', /RE2/],
  ])('%s is refused at its definition', (_, pattern, message) => {
    expect(faultsOf({ pattern })).toMatchObject([
      { pointer: expect.stringMatching(/pattern$/), message: expect.stringMatching(message) },
    ])
  })

  test('is refused where a definition has too many of them, or too long texts of its own', () => {
    const many = Array.from({ length: 101 }, (_, at) => ({ pattern: `a{${at}}` }))
    expect(faultsOf(...many)).toMatchObject([
      { message: 'Has 101 patterns; at most 100 are allowed' },
    ])
    const long = Array.from({ length: 100 }, (_, at) => `a${at}`.padEnd(100, 'b'))
    expect(faultsOf({ pattern: SLOW, enum: long })).toMatchObject(
      [{ pointer: expect.stringMatching(/pattern$/), message: /too complex for enum/ }].map(
        (fault) => ({ ...fault, message: expect.stringMatching(fault.message) }),
      ),
    )
    expect(faultsOf({ pattern: '^a', enum: long })).toEqual([])
  })

  test('is measured before it is compiled', () => {
    expect(() => textPattern('a'.repeat(3_000_000))).toThrow('too long: 3000000 characters')
  })

  test('that was installed and can’t be used any more matches nothing', () => {
    const { maxChars, isFoundIn } = storedPattern('a{1000}b{1000}c{1000}')
    expect(maxChars).toBe(0)
    expect(isFoundIn('a'.repeat(1_000))).toBe(false)
  })
})

describe('a record', () => {
  const prepare = (properties: object[], value: string) => {
    const entity = plainEntity({}, { properties })
    const fields = properties.map((property) => [(property as { name: string }).name, value])
    return prepareRecords(entity, [Object.fromEntries(fields)], 'insert')
  }

  test('of 4 MB for a slow pattern is refused immediately, with the reason', async () => {
    const text = 'ab'.repeat(2_000_000)
    const { faults } = await prepare([{ name: 'code', type: 'string', pattern: SLOW }], text)
    const { maxChars } = textPattern(SLOW)
    const message = `is too long to be matched against the pattern: at most ${maxChars} characters`
    expect(faults).toMatchObject([{ pointer: '/code', message }])
  })

  test('among many that are slow to match is refused, with the reason', async () => {
    const entity = plainEntity(
      {},
      { properties: [{ name: 'code', type: 'string', pattern: SLOW }] },
    )
    const code = 'ab'.repeat(Math.floor(textPattern(SLOW).maxChars / 2))
    const records = Array.from({ length: 2_000 }, () => ({ code }))
    await expect(prepareRecords(entity, records, 'insert')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('takes too long for one request'),
    })
  })

  test('is not checked on when the request has run out of time', async () => {
    const entity = plainEntity(
      {},
      { properties: [{ name: 'code', type: 'string', pattern: SLOW }] },
    )
    const records = Array.from({ length: 2_000 }, () => ({ code: 'ab'.repeat(100) }))
    const client = new AbortController()
    const prepared = withBudget({ signal: client.signal }, () =>
      prepareRecords(entity, records, 'insert'),
    )
    client.abort()
    await expect(prepared).rejects.toThrow('The client left')
  })

  test('of many patterns shares the time among them', async () => {
    const fields = Array.from({ length: 40 }, (_, at) => `field${at}`)
    const properties = fields.map((name) => ({ name, type: 'string', pattern: '^[a-z]*$' }))
    const { maxChars } = textPattern('^[a-z]*$')
    const longest = Math.floor(maxChars / 10)
    expect((await prepare(properties, 'a'.repeat(longest))).faultCount).toBe(0)
    expect((await prepare(properties, 'a'.repeat(longest + 1))).faultCount).toBe(40)
  })
})
