import { describe, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import type { AppError } from '@/lib/errors'
import { bodyLimits, readJson } from './body'

const LIMITS = { maxBytes: 16 * 1024 * 1024, timeoutMs: 30_000 }

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('http://test.local/', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
    duplex: 'half',
  } as RequestInit)

const refusal = (reading: Promise<unknown>): Promise<AppError> =>
  reading.then(
    () => expect.fail('It was taken'),
    (error) => error,
  )

/** Pieces of a body, each after so many milliseconds; `Infinity` never comes. */
const slowly = (...pieces: [ms: number, text: string][]) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const [ms, text] = pieces.shift() ?? [0, null]
      if (ms === Number.POSITIVE_INFINITY) await new Promise(() => {})
      await new Promise((resolve) => setTimeout(resolve, ms))
      if (text === null) controller.close()
      else controller.enqueue(new TextEncoder().encode(text))
    },
  })

describe('a body', () => {
  test.each(['gzip', 'br', 'GZIP', 'identity, gzip'])(
    'in %s is refused unread',
    async (encoding) => {
      const request = post('{}', { 'content-encoding': encoding })
      const error = await refusal(readJson(request, LIMITS))
      expect(error).toMatchObject({ code: 'unsupported_media_type' })
      expect(error.message).toContain('Content-Encoding')
      expect(request.bodyUsed).toBe(false)
    },
  )

  test.each(['identity', 'Identity', ''])('in "%s" is taken', async (encoding) => {
    const request = post('{"a":1}', { 'content-encoding': encoding })
    expect(await readJson(request, LIMITS)).toMatchObject({ json: { a: 1 } })
  })

  test('is parsed while other work continues', async () => {
    let turns = 0
    const count = () => {
      turns++
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const records = Array.from({ length: 100_000 }, (_, id) => ({ id, text: 'x'.repeat(100) }))
    const { json } = await readJson(post(JSON.stringify(records)), LIMITS)
    clearImmediate(timer)
    expect(json).toHaveLength(100_000)
    expect(turns).toBeGreaterThan(3)
  })

  test('of too many values is refused', async () => {
    const error = await refusal(readJson(post(`[${'{},'.repeat(1_000_000)}1]`), LIMITS))
    expect(error.code).toBe('too_large')
    expect(error.message).toContain('1,000,000 values')
  })

  test('with too many properties in one object is refused', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, at) => `"${at}":1`).join()
    const error = await refusal(readJson(post(`[{"a":1},{${names(50_001)}}]`), LIMITS))
    expect(error.code).toBe('too_large')
    expect(error.message).toContain('50,000 properties in one object')
    const most = `[{${names(50_000)}},{${names(50_000)}}]`
    expect((await readJson(post(most), LIMITS)).json).toHaveLength(2)
  })

  test('is parsed up to its first fault', async () => {
    const error = await refusal(readJson(post(`[1${',,'.repeat(5_000_000)}]`), LIMITS))
    expect(error.message).toBe(
      'The body is not valid JSON: Expected a value at line 1, column 4 (position 3)',
    )
  })

  test('that stands still is given up', async () => {
    const body = slowly([0, '{"a":'], [Number.POSITIVE_INFINITY, ''])
    const error = await refusal(readJson(post(body), { ...LIMITS, timeoutMs: 50 }))
    expect(error.code).toBe('request_timeout')
  })

  test('that comes a byte at a time is given up', async () => {
    const bytes = Array.from({ length: 1000 }, (): [number, string] => [10, ' '])
    const error = await refusal(readJson(post(slowly(...bytes)), { ...LIMITS, timeoutMs: 100 }))
    expect(error.code).toBe('request_timeout')
  })

  test('that makes progress may take longer than the time-out', async () => {
    const piece = `"${'x'.repeat(1_000_000)}"`
    const body = slowly([0, `[${piece},`], [400, `${piece},`], [400, `${piece}]`])
    expect((await readJson(post(body), { ...LIMITS, timeoutMs: 600 })).json).toHaveLength(3)
  })
})

test('who may call decides how large a body may be', () => {
  const settings = parseEnv({})
  const bytes = (access: unknown, exactNumbers?: boolean) =>
    bodyLimits(settings, { access, exactNumbers }).maxBytes
  expect(bytes('public')).toBe(64 * 1024)
  expect(bytes('optional', true)).toBe(64 * 1024)
  expect(bytes('signed-in')).toBe(1024 * 1024)
  expect(bytes('signed-in', true)).toBe(settings.MAX_JSON_BYTES)
  expect(bodyLimits({ ...settings, MAX_JSON_BYTES: 10 }, { access: 'public' }).maxBytes).toBe(10)
})
