import { describe, expect, test } from 'vitest'
import { checkDryRun } from '../../testing/check-dry-run'
import { sources, total, v1 } from '../../testing/computed-fields'
import { deps, version } from '../../testing/versions'

describe('a computed field', () => {
  test('is predicted by a dry run', async () => {
    const more = version({ properties: [...sources, total('n * 3')], records: [{ id: 3, n: 1 }] })
    const files = await checkDryRun(deps, v1(total('n * 2')), more, 'partial')
    expect(files.flatMap(({ error }) => error ?? [])).toEqual([])
    expect(files[0]?.changes).toContain('Add the computed column total (numeric) to entities.thing')
  })
})
