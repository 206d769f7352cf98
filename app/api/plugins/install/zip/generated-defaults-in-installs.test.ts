import { describe, expect, test } from 'vitest'
import { checkDryRun } from '../../testing/check-dry-run'
import { MADE, made } from '../../testing/generated-defaults'
import { deps, installed, integer, search, version } from '../../testing/versions'

describe('the defaults "now" and "uuid"', () => {
  test('are made for the records of a large file too', async () => {
    const records = Array.from({ length: 900 }, (_, id) => ({ id, note: 'x'.repeat(400) }))
    await installed(version({ properties: MADE, records }))
    const found = await search({ pagination: { page: 0, size: 1_000 } })
    expect(new Set(found.map(({ token }: { token: string }) => token)).size).toBe(900)
    expect(found[899]).toMatchObject({ id: 899, ...made })
  })

  test('are predicted by a dry run', async () => {
    const files = await checkDryRun(
      deps,
      version({ properties: [integer('n')], records: [{ id: 1 }] }),
      version({ properties: MADE, records: [{ id: 2 }] }),
      'partial',
    )
    expect(files.flatMap(({ changes }) => changes)).toContain(
      'Set at to the present time where entities.thing has no value',
    )
  })
})
