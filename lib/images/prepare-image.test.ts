import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { IMAGE_FORMATS, makeAnimation, makeImage, pixelsOf, SECRET } from '@/lib/testing/images'
import { prepare } from './testing/prepare'

describe.each(IMAGE_FORMATS)('a %s', (format) => {
  test('keeps its pixels and loses metadata about people and places', async () => {
    const sent = withSecret(format, await makeImage(format))
    expect(sent.includes(SECRET)).toBe(true)
    const { image, stored } = await prepare(sent)
    expect(stored.includes(SECRET)).toBe(false)
    expect(image).toMatchObject({ type: format, width: 40, height: 30 })
    expect(await pixelsOf(stored)).toEqual(await pixelsOf(sent))
  })

  test('is refused when its end is missing', async () => {
    const whole = await makeImage(format, { width: 300, height: 200 })
    const half = whole.subarray(0, whole.length - Math.ceil(whole.length / 3))
    await expect(prepare(half)).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('is detected by its bytes alone, whatever surrounds it', async () => {
    const { image } = await prepare(await makeImage(format, { width: 1, height: 1 }))
    expect(image).toMatchObject({ type: format, width: 1, height: 1 })
  })
})

describe.each(['jpeg', 'png', 'webp', 'avif'] as const)('a turned %s', (format) => {
  test('has the size it is shown in, and is still shown so', async () => {
    const sent = await makeImage(format, { width: 40, height: 30, orientation: 6 })
    const { image, stored } = await prepare(sent)
    expect(image).toMatchObject({ width: 30, height: 40 })
    expect(await pixelsOf(stored)).toEqual(await pixelsOf(sent))
  })
})

describe.each(['gif', 'webp'] as const)('an animated %s', (format) => {
  test('keeps its frames and its loops', async () => {
    const sent = await makeAnimation(format, { frames: 7 })
    const { image, stored } = await prepare(sent)
    expect(image).toMatchObject({ width: 20, height: 10 })
    expect(await sharp(stored).metadata()).toMatchObject({ pages: 7, loop: 3 })
    expect(await pixelsOf(stored)).toEqual(await pixelsOf(sent))
  })

  test('is measured by all of its frames', async () => {
    const sent = await makeAnimation(format, { frames: 7 })
    await expect(prepare(sent, 7 * 200 - 1)).rejects.toMatchObject({ code: 'too_large' })
    await expect(prepare(sent, 7 * 200)).resolves.toBeDefined()
  })
})

test('an animation of a hundred thousand frames of one pixel is refused', async () => {
  const frame = Buffer.from('2c00000000010001000002024401' + '00', 'hex')
  const start = Buffer.from('47494638396101000100800000000000ffffff', 'hex')
  const frames = Array<Buffer>(100_000).fill(frame)
  const animation = Buffer.concat([start, ...frames, Buffer.from([0x3b])])
  await expect(prepare(animation)).rejects.toMatchObject({ code: 'too_large' })
})

describe('what is no image that is taken in', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  test.each([
    ['an SVG', svg],
    ['a web page', '<!doctype html><script>alert(1)</script>'],
    ['a web page after the first letters of a GIF', `GIF<script>alert(1)</script>`],
    ['a PDF', '%PDF-1.7\n'],
    ['a BMP', Buffer.from('424d460000000000000036000000', 'hex')],
    ['a TIFF', Buffer.from('49492a0008000000', 'hex')],
    ['a HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1')],
    ['a RIFF that is no WebP', 'RIFF\0\0\0\0WAVEfmt '],
    ['one byte', '\x89'],
  ])('%s is refused', async (_, bytes) => {
    await expect(prepare(bytes)).rejects.toMatchObject({ code: 'unsupported_media_type' })
  })

  test.each([
    ['a web page behind the signature of a GIF', `GIF89a<script>alert(1)</script>`],
    ['a PNG signature and nothing more', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['a JPEG that only starts', Buffer.from('ffd8ffe0', 'hex')],
    ['a WebP of no chunks', Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1')],
    ['an AVIF of a lone brand', Buffer.from('\0\0\0\x10ftypavif\0\0\0\0', 'latin1')],
  ])('%s is refused', async (_, bytes) => {
    await expect(prepare(bytes)).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('stray bytes between the segments of a JPEG are left out, as browsers do', async () => {
    const picture = await makeImage('jpeg')
    const table = picture.indexOf(Buffer.from('ffdb', 'hex'))
    const stray = Buffer.from('0000004142', 'hex')
    const damaged = Buffer.concat([picture.subarray(0, table), stray, picture.subarray(table)])
    const { stored } = await prepare(damaged)
    expect(stored).toEqual((await prepare(picture)).stored)
  })

  test('a page hidden behind the end of a picture is not stored with it', async () => {
    const picture = await makeImage('png')
    const { stored } = await prepare(Buffer.concat([picture, Buffer.from(svg)]))
    expect(stored.includes('<script')).toBe(false)
  })
})

describe('a picture of 64 megapixels', () => {
  test('is refused by its header, before any pixel is decoded', async () => {
    const flat = { create: { width: 8000, height: 8000, channels: 3 as const, background: '#000' } }
    const bomb = await sharp(flat).png({ compressionLevel: 9 }).toBuffer()
    const headerAndLittleMore = bomb.subarray(0, 100)
    await expect(prepare(bomb)).rejects.toMatchObject({ code: 'too_large' })
    await expect(prepare(headerAndLittleMore)).rejects.toMatchObject({ code: 'too_large' })
  })
})

/** A GIF gets its comments by hand: the encoder writes none. */
function withSecret(format: string, bytes: Buffer): Buffer {
  if (format !== 'gif') return bytes
  const flags = bytes.readUInt8(10)
  const at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const comment = Buffer.concat([
    Buffer.from([0x21, 0xfe, SECRET.length]),
    Buffer.from(SECRET),
    Buffer.from([0]),
  ])
  const xmp = Buffer.concat([
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('XMP DataXMP'),
    Buffer.from([SECRET.length]),
    Buffer.from(SECRET),
    Buffer.from([0]),
  ])
  return Buffer.concat([
    bytes.subarray(0, at),
    comment,
    xmp,
    bytes.subarray(at),
    Buffer.from(SECRET),
  ])
}
