import { describe, expect, test } from 'vitest'
import type { InstallMode } from '@/lib/installs/contract'
import { checkDryRun } from './check-dry-run'
import { deps, integer, search, text, version } from './versions'

const tier = (...values: string[]) => text('tier', { enum: values })

const v1 = () =>
  version({
    properties: [tier('gold', 'silver', 'bronze'), integer('n')],
    records: [
      { id: 1, tier: 'gold', n: 1 },
      { id: 2, tier: 'bronze', n: 2 },
    ],
  })

/** A dry run of repaired records in one mode. */
export function testRepairsInDryRuns(mode: InstallMode): void {
  describe(`a version that repairs the records that its schema contradicts (${mode})`, () => {
    test('is predicted by a dry run, whether it repairs enough or not', async () => {
      const narrower = (...ids: number[]) =>
        version({
          properties: [tier('gold', 'basic'), integer('n')],
          records: ids.map((id) => ({ id, tier: 'basic' })),
        })
      const enough = await checkDryRun(deps, v1(), narrower(2, 3), mode)
      expect(enough.map(({ error }) => error)).toEqual([null, null, null])
      expect((await search()).map(({ tier }: { tier: string }) => tier)).toEqual([
        'gold',
        'basic',
        'basic',
      ])
    })
  })
}
