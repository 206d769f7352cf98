import { describe, expect, test } from 'vitest'
import { AppError } from '@/lib/errors'
import { pixelsOf } from '@/lib/testing/images'
import { readPngSuite } from '@/lib/testing/pngsuite'
import { prepare } from './testing/prepare'

describe('PngSuite', async () => {
  const suite = [...(await readPngSuite())]
  const isBroken = ([name]: [string, Uint8Array]) => name.startsWith('x')

  test('has 161 good pictures and 14 broken ones', () => {
    expect(suite.filter(isBroken)).toHaveLength(14)
    expect(suite).toHaveLength(175)
  })

  test.each(suite.filter((entry) => !isBroken(entry)))('%s is taken in', async (_, bytes) => {
    const { image, stored } = await prepare(bytes)
    const header = Buffer.from(bytes)
    expect(image).toMatchObject({
      type: 'png',
      mediaType: 'image/png',
      width: header.readUInt32BE(16),
      height: header.readUInt32BE(20),
      bytes: stored.length,
    })
    expect(await pixelsOf(stored)).toEqual(await pixelsOf(bytes))
  })

  test.each(suite.filter(isBroken))('%s is refused', async (_, bytes) => {
    await expect(prepare(bytes)).rejects.toBeInstanceOf(AppError)
  })
})
