import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withBudget } from '@/lib/db/budget'
import { budget } from '@/lib/testing/budget'
import { type JsonObject, JsonSyntaxError, parseJson } from '@/lib/values/json'
import { FileFailure } from './plugin-file'
import { NotRecordsError, readAhead, readRecords } from './read-records'

const LIMITS = { MAX_RECORDS: 1_000_000, MAX_JSON_BYTES: 16 * 1024 * 1024 }
const LARGE = 'x'.repeat(200_000)

async function read(text: string, limits = LIMITS, exactly = false): Promise<JsonObject[]> {
  const records: JsonObject[] = []
  const bytes = new TextEncoder().encode(text)
  for await (const batch of readRecords(bytes, limits, { exactly }))
    for (const record of batch) records.push(record)
  return records
}

const faultOf = (text: string, limits = LIMITS) =>
  read(text, limits).then(
    () => null,
    (error: unknown) => error,
  )

describe('readRecords', () => {
  test('reads one object and an array of objects', async () => {
    expect(await read('{"a":1}')).toEqual([{ a: 1 }])
    expect(await read('\ufeff[{"a":1},{"a":2}]')).toEqual([{ a: 1 }, { a: 2 }])
    expect(await read(' [ ] ')).toEqual([])
  })

  test.each(['1', '"text"', 'null', '[{"a":1},2]', '[[]]', `[{"a":"${LARGE}"},2]`])(
    'refuses what is no object: %.20s',
    async (text) => {
      expect(await faultOf(text)).toBeInstanceOf(NotRecordsError)
    },
  )

  test('reads texts of any size in a thread exactly as a whole', async () => {
    const records = fc.array(
      fc.record({ text: fc.string({ unit: 'binary' }), json: fc.jsonValue({ maxDepth: 3 }) }),
      { minLength: 2, maxLength: 8 },
    )
    await fc.assert(
      fc.asyncProperty(records, fc.constantFrom(0, 2), async (input, indent) => {
        const large = input.map((record) => ({ LARGE, ...record }))
        const text = JSON.stringify(large, null, indent)
        expect(await read(text)).toEqual(JSON.parse(text))
      }),
      budget(10, 1),
    )
  })

  test('keeps every digit of a number when asked to', async () => {
    const text = `[{"n":9007199254740993,"s":"${LARGE}"},{"n":0.1},{"n":1e400}]`
    const expected = parseJson(text, { exactly: true })
    expect(await read(text, LIMITS, true)).toEqual(expected)
    expect(await read(text.replace(LARGE, ''), LIMITS, true)).toEqual(
      parseJson(text.replace(LARGE, ''), { exactly: true }),
    )
  })

  test.each([
    ['a missing comma', (item: string) => `[${item},\n${item} ${item}]`],
    ['a doubled comma', (item: string) => `[${item},${item},,${item}]`],
    ['a comma at the end', (item: string) => `[${item},${item},]`],
    ['text after the array', (item: string) => `[${item},${item}]\n 1`],
    ['no end', (item: string) => `[${item},${item},${item}`],
    ['an unterminated string', (item: string) => `[${item},${item},"`],
    ['another bracket', (item: string) => `[${item},${item}}`],
    ['a bracket too many', (item: string) => `[${item},{"a":]}`],
    ['too deep a nesting', (item: string) => `[${item},${'['.repeat(500)}${']'.repeat(500)}]`],
  ])('%s is a syntax error with its position', async (_, build) => {
    for (const padding of ['', LARGE]) {
      const text = build(JSON.stringify({ padding }))
      const { reason, line, column } = catchSyntaxError(() => parseJson(text))
      expect(await faultOf(text)).toMatchObject({ name: 'JsonSyntaxError', reason, line, column })
    }
  })

  test('gives the position of a byte that is not UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('[{"a":1},\n{"b":"é'),
      Buffer.of(0xff),
      Buffer.from('"}]'),
    ])
    const reading = readRecords(bytes, LIMITS).next()
    await expect(reading).rejects.toMatchObject({ reason: 'Not valid UTF-8', line: 2, column: 8 })
  })

  test('the first fault ends the reading, whatever follows', async () => {
    const commas = `[{},${','.repeat(20_000_000)}]`
    expect(await faultOf(commas)).toMatchObject({ reason: 'Expected a value', line: 1, column: 5 })
  })

  test('refuses more records than the limit', async () => {
    const text = `[{}${',{}'.repeat(2_000_000)}]`
    const error = await faultOf(text, { ...LIMITS, MAX_RECORDS: 100_000 })
    expect(error).toBeInstanceOf(FileFailure)
    expect(error).toMatchObject({
      verdict: 'Invalid record',
      details: [{ message: expect.stringContaining('more than 100000 records') }],
    })
    expect(await read('[{},{}]', { ...LIMITS, MAX_RECORDS: 2 })).toHaveLength(2)
  })

  test('refuses a record that is too large, and names it', async () => {
    const text = `[{"a":1},{"a":"${LARGE}"}]`
    const error = await faultOf(text, { ...LIMITS, MAX_JSON_BYTES: 100_000 })
    const message = 'The record is larger than 97.7 KiB (MAX_JSON_BYTES)'
    expect(error).toMatchObject({ verdict: 'Invalid record', details: [{ index: 1, message }] })
  })

  test('refuses a record of too many values, and names it', async () => {
    const list = `[[]${',[]'.repeat(600_000)}]`
    const message = 'The record contains more than 500000 values'
    expect(await faultOf(`[{},{},{"a":${list}}]`)).toMatchObject({
      details: [{ index: 2, message }],
    })
    expect(await faultOf(`{"a":${list}}`)).toMatchObject({ details: [{ index: 0, message }] })
  })
})

describe('readAhead', () => {
  const encode = (text: string) => new TextEncoder().encode(text)
  const readAll = async (bytes: Uint8Array) => {
    const batches: JsonObject[][] = []
    for await (const batch of readRecords(bytes, LIMITS)) batches.push(batch)
    return batches.flat()
  }

  test('begins what is read once; a second reading begins anew', async () => {
    const records = Array.from({ length: 9 }, (_, n) => ({ n, LARGE }))
    for (const input of [records, [{ n: 1 }]]) {
      const bytes = encode(JSON.stringify(input))
      const stop = readAhead(bytes, LIMITS)
      expect(await readAll(bytes)).toEqual(input)
      stop()
      expect(await readAll(bytes)).toEqual(input)
    }
  })

  test('leaves faults to the reading', async () => {
    const bytes = encode(`[{"a":"${LARGE}"},\n{"a" 1}]`)
    const stop = readAhead(bytes, LIMITS)
    await expect(readAll(bytes)).rejects.toMatchObject({ name: 'JsonSyntaxError', line: 2 })
    stop()
    const over = encode(`[{"a":"${LARGE}"}]`)
    readAhead(over, { ...LIMITS, MAX_JSON_BYTES: 1000 })()
    expect(await readAll(over)).toHaveLength(1)
  })

  test('gives its thread back when not all is read, or nothing, also at the end of the time for it', async () => {
    const bytes = encode(JSON.stringify(Array.from({ length: 9 }, (_, n) => ({ n, LARGE }))))
    const threads = () => readdirSync('/proc/self/task').length
    readAhead(bytes, LIMITS)()
    expect(await readAll(bytes)).toHaveLength(9)
    const before = threads()
    for (let n = 0; n < 20; n++) {
      const stop = readAhead(bytes, LIMITS)
      if (n % 2) stop()
      for await (const _ of readRecords(bytes, LIMITS)) break
      stop()
    }
    expect(threads()).toBeLessThan(before + 5)
    const ended = AbortSignal.abort(new Error('Ended'))
    const stop = withBudget({ signal: ended }, async () => readAhead(bytes, LIMITS))
    ;(await stop)()
    expect(await readAll(bytes)).toHaveLength(9)
  })
})

function catchSyntaxError(work: () => unknown): JsonSyntaxError {
  try {
    work()
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
  }
  throw new Error('No fault')
}
