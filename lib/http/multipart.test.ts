import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AppError } from '@/lib/errors'
import { readMultipart, type Upload } from './multipart'

const KiB = 1024
let folder: string

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'engine-upload-')), 'tmp')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

const filesLeft = () => (existsSync(folder) ? readdirSync(folder) : [])

const read = (request: Request, maxFileBytes = 64 * KiB) =>
  readMultipart(request, { maxFileBytes, maxFields: 5, folder }, 30_000)

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request('http://test.local/', {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit)

const part = (disposition: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`

const raw = (body: BodyInit | null) =>
  post(body, { 'content-type': 'multipart/form-data; boundary=b' })

const form = (...parts: string[]) => raw(`${parts.join('')}--b--\r\n`)

function formData(files: File[], fields: Record<string, string> = {}) {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  for (const file of files) data.append('file', file)
  return data
}

/** The body in small pieces, then its end or an error. */
const inPieces = (bytes: Uint8Array, pieceBytes: number, failure?: Error, beforeEnd = () => {}) => {
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) {
        beforeEnd()
        return failure ? controller.error(failure) : controller.close()
      }
      controller.enqueue(bytes.slice(at, at + pieceBytes))
      at += pieceBytes
    },
  })
}

async function refusal(reading: Promise<Upload | null>): Promise<AppError> {
  const error = await reading.then(
    () => undefined,
    (thrown: AppError) => thrown,
  )
  expect(error?.name).toBe('AppError')
  expect(filesLeft()).toEqual([])
  return error as AppError
}

describe('a form with a file', () => {
  test('is streamed to a private temporary file, hashed, and gone after dispose', async () => {
    const content = crypto.getRandomValues(new Uint8Array(64 * KiB))
    const data = formData([new File([content], 'plugin.zip', { type: 'application/zip' })], {
      namespace: 'a/b',
      ['__proto__']: 'plain',
    })
    const upload = await read(post(data))
    const { file } = upload as Upload & { file: NonNullable<Upload['file']> }
    expect(upload?.fields).toEqual({ namespace: 'a/b', ['__proto__']: 'plain' })
    expect(file).toMatchObject({
      fileName: 'plugin.zip',
      declaredType: 'application/zip',
      bytes: 64 * KiB,
      sha256: createHash('sha256').update(content).digest('hex'),
    })
    expect(readFileSync(file.path)).toEqual(Buffer.from(content))
    expect(statSync(file.path).mode & 0o777).toBe(0o600)
    await upload?.dispose()
    await upload?.dispose()
    expect(filesLeft()).toEqual([])
  })

  test.each([1, 2, 7, 1000])('reads the same in pieces of %i bytes', async (pieceBytes) => {
    const whole = new Uint8Array(
      await form(
        part('name="file"; filename="a.bin"', 'x'.repeat(3000)),
        part('name="n"', 'ü'),
      ).arrayBuffer(),
    )
    const upload = await read(raw(inPieces(whole, pieceBytes)))
    expect(upload).toMatchObject({ file: { bytes: 3000 }, fields: { n: 'ü' } })
    await upload?.dispose()
  })

  test.each([
    ['filename="Größe 世界.zip"', 'Größe 世界.zip'],
    [`filename="x.zip"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.zip`, 'Größe.zip'],
    ['filename="../../etc/passwd"', 'passwd'],
    ['filename="C:\\\\temp\\\\a.zip"', 'a.zip'],
    ['filename="/"', 'unnamed'],
    [`filename*=UTF-8''a%00b%0A%E2%80%AE.zip`, 'ab.zip'],
    [`filename*=UTF-16LE''%00%D8a%00`, 'a'],
    [`filename="${'n'.repeat(400)}"`, 'n'.repeat(255)],
  ])('keeps the name in %s for display only', async (disposition, fileName) => {
    const upload = await read(form(part(`name="file"; ${disposition}`, 'zip')))
    expect(upload?.file?.fileName).toBe(fileName)
    expect(filesLeft()).toEqual([expect.stringMatching(/^upload-[0-9a-f-]{36}$/)])
    await upload?.dispose()
  })
})

describe('without a file', () => {
  test.each([
    ['JSON', post('{}', { 'content-type': 'application/json' })],
    ['no content type', post(new Uint8Array(3))],
    ['urlencoded', post(new URLSearchParams({ file: 'x' }))],
    ['no boundary', post('x', { 'content-type': 'multipart/form-data' })],
    ['another multipart', post('x', { 'content-type': 'multipart/mixed; boundary=b' })],
  ])('%s is not a form, and its body is left alone', async (_, request) => {
    expect(await read(request)).toBeNull()
    expect(request.bodyUsed).toBe(false)
  })

  test.each([
    ['no body', raw(null)],
    ['a body of no bytes', raw('')],
    ['a form without parts', raw('--b--\r\n')],
    ['an empty file', form(part('name="file"; filename="a.zip"', ''))],
    ['a field named file', form(part('name="file"', 'text'))],
    ['a file under another name', form(part('name="upload"; filename="a"', 'x'.repeat(9000)))],
  ])('%s has no file', async (_, request) => {
    expect(await read(request)).toMatchObject({ file: null })
    expect(filesLeft()).toEqual([])
  })
})

describe('refuses', () => {
  test('by the declared length before it reads', async () => {
    let pulls = 0
    const body = new ReadableStream({
      pull(controller) {
        pulls++
        expect(filesLeft()).toEqual([])
        if (pulls < 3) controller.enqueue(new Uint8Array(10))
        else controller.close()
      },
    })
    const request = raw(body)
    request.headers.set('content-length', String(64 * KiB + 1024 * KiB + 1))
    expect(await refusal(read(request))).toMatchObject({
      code: 'too_large',
      message: 'The file is larger than 64 KiB; send a smaller one',
    })
  })

  test('a file of one byte more than allowed, and not one of exactly that', async () => {
    const withFile = (bytes: number) => post(formData([new File([new Uint8Array(bytes)], 'a')]))
    const upload = await read(withFile(64 * KiB))
    expect(upload?.file?.bytes).toBe(64 * KiB)
    await upload?.dispose()
    expect(await refusal(read(withFile(64 * KiB + 1)))).toMatchObject({ code: 'too_large' })
  })

  test.each([
    ['a file', 'name="file"; filename="a"'],
    ['an unexpected file', 'name="other"; filename="a"'],
  ])('an endless body of %s while the disk stays empty, and reads on', async (_, disposition) => {
    let sent = 0
    let largest = 0
    let drained = () => {}
    const whenDrained = new Promise<void>((resolve) => {
      drained = resolve
    })
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from(part(disposition, ''))),
      pull(controller) {
        for (const name of filesLeft())
          largest = Math.max(largest, statSync(join(folder, name)).size)
        if (sent++ < 2000) return controller.enqueue(new Uint8Array(16 * KiB))
        controller.close()
        drained()
      },
    })
    expect(await refusal(read(raw(body)))).toMatchObject({ code: 'too_large' })
    await whenDrained
    expect(largest).toBeLessThanOrEqual(64 * KiB)
  })

  test.each([
    [
      'several files',
      form(part('name="file"; filename="a"', 'x'), part('name="file"; filename="b"', 'y')),
      'invalid_input',
      'Send one file, not several',
    ],
    [
      'a field given twice',
      form(part('name="n"', '1'), part('name="n"', '2')),
      'invalid_input',
      'The field "n" is given more than once',
    ],
    [
      'too many fields',
      form(...[...'abcdef'].map((name) => part(`name="${name}"`, '1'))),
      'invalid_input',
      'The form has too many fields',
    ],
    [
      'too many parts',
      form(...[...'abcdefghijklmn'].map((name) => part(`name="${name}"; filename="a"`, '1'))),
      'invalid_input',
      'The form has too many fields',
    ],
    [
      'a huge field',
      form(part('name="n"', 'x'.repeat(64 * KiB + 1))),
      'too_large',
      'A field of the form is larger than 64 KiB',
    ],
    [
      'a broken part header',
      raw('--b\r\nContent Disposition\u0000: x\r\n\r\n--b--\r\n'),
      'invalid_input',
      'The form is incomplete or malformed; send it again',
    ],
    [
      'a broken boundary',
      post('x', { 'content-type': 'multipart/form-data; =; boundary=' }),
      'invalid_input',
      'The form is incomplete or malformed; send it again',
    ],
  ])('%s', async (_, request, code, message) => {
    expect(await refusal(read(request))).toMatchObject({ code, message })
  })

  test('a file larger than memory buffers followed by another one', async () => {
    const request = form(
      part('name="file"; filename="a"', 'x'.repeat(60 * KiB)),
      part('name="file"; filename="b"', 'y'.repeat(60 * KiB)),
    )
    expect(await refusal(read(request))).toMatchObject({ code: 'invalid_input' })
  })

  test('a form that ends early, wherever it does', async () => {
    const text = `${part('name="n"', 'value')}${part('name="file"; filename="a"', 'content')}--b--`
    const whole = new TextEncoder().encode(text)
    for (let length = 1; length < whole.length; length++) {
      const error = await refusal(read(raw(whole.slice(0, length))))
      expect(error.code, `after ${length} bytes`).toBe('invalid_input')
    }
  })

  test('a client that goes away when half of its file is on disk', async () => {
    const half = Buffer.from(part('name="file"; filename="a"', 'x'.repeat(600 * KiB)))
    let onDisk = 0
    const body = inPieces(half, 32 * KiB, new Error('aborted'), () => {
      for (const name of filesLeft()) onDisk = statSync(join(folder, name)).size
    })
    expect((await refusal(read(raw(body), 1024 * KiB))).message).toContain('interrupted')
    expect(onDisk).toBeGreaterThan(0)
  })

  test('a client that goes away, wherever it does', async () => {
    const text = `${part('name="n"', 'value')}${part('name="file"; filename="a"', 'content')}--b--`
    const whole = new TextEncoder().encode(text)
    for (let length = 0; length <= whole.length; length++) {
      const body = inPieces(whole.slice(0, length), 16, new Error('aborted'))
      expect((await refusal(read(raw(body)))).message).toContain('interrupted')
    }
  })
})
