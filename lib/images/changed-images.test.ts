import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '@/lib/errors'
import { budget } from '@/lib/testing/budget'
import { IMAGE_FORMATS, makeImage } from '@/lib/testing/images'
import { prepare } from './testing/prepare'

describe.each(IMAGE_FORMATS)('a %s', (format) => {
  test('with any few bytes changed is taken in or refused, and nothing else', async () => {
    const whole = await makeImage(format)
    const changes = fc.array(fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) }), {
      minLength: 1,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const bytes = Buffer.from(whole)
        for (const { at, to } of changed) bytes[at] = to
        await prepare(bytes).catch((error) => expect(error).toBeInstanceOf(AppError))
      }),
      budget(60, 1),
    )
  })
})
