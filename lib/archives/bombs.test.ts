import { deflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parseEnv } from '@/lib/env'
import type { AppError } from '@/lib/errors'
import { zip } from '@/lib/testing/zip'
import { readArchive } from './zip/read-archive'

const MiB = 1024 * 1024
const zeros = (bytes: number) => deflateRawSync(new Uint8Array(bytes))

async function refusal(archive: Uint8Array): Promise<AppError> {
  const error = await readArchive(archive, parseEnv({})).then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error?.name).toBe('AppError')
  return error
}

/** An entry whose headers agree on a size that its content does not have. */
const lying = (declared: number, real: number) => {
  const said = { bytes: declared, crc: 1 }
  return zip([{ name: 'data.json', packed: zeros(real), central: said, local: said }])
}

describe('a bomb', () => {
  test('that declares 16 bytes and unpacks to 256 MiB is stopped at the first byte more', async () => {
    expect(await refusal(lying(16, 256 * MiB))).toMatchObject({
      code: 'invalid_input',
      message:
        'The archive\'s entry "data.json" unpacks to more than it declares; pack the archive again',
    })
  })

  test('that declares more than it unpacks to does not match', async () => {
    expect((await refusal(lying(2 * MiB, MiB + 1))).message).toContain('impossible sizes')
    expect((await refusal(lying(MiB + 2, MiB + 1))).message).toContain('does not match')
  })

  test('that declares what no packer reaches takes no memory', async () => {
    const archive = zip([{ name: 'a', packed: zeros(10), central: { bytes: 100 * MiB, crc: 1 } }])
    expect((await refusal(archive)).message).toContain('declares impossible sizes')
  })

  test('of 300 MiB in three honest entries is refused before it is unpacked', async () => {
    const entry = { content: new Uint8Array(100 * MiB), packed: zeros(100 * MiB) }
    const archive = zip(['a', 'b', 'c'].map((name) => ({ ...entry, name })))
    expect(await refusal(archive)).toMatchObject({
      code: 'too_large',
      message: 'The archive unpacks to more than 256 MiB; split it',
    })
  })

  test('of entries that share one content is refused', async () => {
    const kernel = { name: 'a', content: '0'.repeat(10_000) }
    const sharers = Array.from({ length: 100 }, (_, index) => ({
      ...kernel,
      name: `b${index}`,
      central: { offset: 0 },
      only: 'central' as const,
    }))
    expect((await refusal(zip([kernel, ...sharers]))).message).toContain('overlaps another one')
  })

  test('of entries nested in each other is refused', async () => {
    const inner = { name: 'inner', content: 'inner content' }
    const innerAlone = zip([inner])
    const outer = { name: 'outer', method: 0 as const, content: innerAlone.slice(0, 48) }
    const archive = zip([
      outer,
      { ...inner, central: { offset: 30 + outer.name.length }, only: 'central' },
    ])
    expect((await refusal(archive)).message).toContain('overlaps another one')
  })
})
