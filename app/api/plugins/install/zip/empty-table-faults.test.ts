import { describe, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { countParts, installParts, MANY, parts } from '../../testing/parts'

const deps = freshDeps()

describe('a large file that meets an empty table', () => {
  test('fails for a unique value that it has twice', async () => {
    const report = await installParts(
      deps,
      parts(MANY, (n) => ({ code: n === MANY ? 'C9' : `C${n}` })),
    )
    expect(report).toMatchObject({
      verdict: 'Conflict Issue!',
      details: [{ index: MANY - 1, pointer: '/code', value: 'C9' }],
    })
    expect(await countParts(deps)).toBe(0)
  })

  test('fails for a reference to nothing', async () => {
    const report = await installParts(
      deps,
      parts(MANY, (n) => ({ id: n, parent: n === 9 ? -1 : n })),
    )
    expect(report).toMatchObject({
      verdict: 'Missing dependency',
      details: [{ index: 8, key: 9, pointer: '/parent', value: -1 }],
    })
    expect(await countParts(deps)).toBe(0)
  })

  test('fails with all faults of its records counted', async () => {
    const report = await installParts(
      deps,
      parts(MANY, (n) => (n % 400 === 0 ? { parent: 'x' } : {})),
    )
    expect(report).toMatchObject({ verdict: 'Invalid record', detailCount: 3 })
    expect(report.details?.map(({ index }) => index)).toEqual([399, 799, 1199])
    expect(await countParts(deps)).toBe(0)
  })
})
