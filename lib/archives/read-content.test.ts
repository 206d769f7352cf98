import { describe, expect, test } from 'vitest'
import { readPlugin } from './open-archive'
import { parsePlugin } from './parse-plugin'
import { readData } from './read-content'

const KiB = 1024
const LIMITS = { MAX_RECORDS: 1e6, MAX_JSON_BYTES: 1024 * KiB, MAX_UNPACKED_BYTES: 4096 * KiB }

/** The data files of a plugin with a variable of 64 KiB that each of `counts` records uses. */
async function dataFiles(counts: readonly number[], variable = 'x'.repeat(64 * KiB)) {
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  const files = counts.map((count, at): [string, Uint8Array] => [
    `Thing/${at}.json`,
    json(Array.from({ length: count }, () => ({ a: '${config.v}' }))),
  ])
  const archive = new Map([
    [
      'engineplugin.json',
      json({ id: 'a.b', name: 'a', version: '1.0.0', variables: { v: variable } }),
    ],
    ['Thing/__manifest__.json', json({ target: 'Thing' })],
    ...files,
  ])
  return (await parsePlugin(readPlugin(archive), LIMITS)).files
}

async function read(file: Parameters<typeof readData>[0]): Promise<number[]> {
  const sizes: number[] = []
  for await (const records of readData(file)) sizes.push(JSON.stringify(records).length)
  return sizes
}

describe('what variables bring', () => {
  test('is read in batches', async () => {
    const [file] = await dataFiles([48])
    const sizes = await read(file as never)
    expect(sizes).toHaveLength(3)
    expect(Math.max(...sizes)).toBeLessThan(1100 * KiB)
  })

  test('has one limit for all files of an archive, however often one is read', async () => {
    const [first, second] = await dataFiles([48, 48])
    await read(first as never)
    await read(first as never)
    await expect(read(second as never)).rejects.toMatchObject({
      details: [{ index: 16, message: expect.stringContaining('Variables make it too large') }],
    })
  })

  test('is measured in bytes', async () => {
    const [file] = await dataFiles([64], '漢'.repeat(64 * KiB))
    await expect(read(file as never)).rejects.toMatchObject({ details: [{ index: 21 }] })
  })
})
