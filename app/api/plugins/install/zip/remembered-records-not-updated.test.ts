import { describe, expect, test } from 'vitest'
import { freshDeps } from '@/lib/testing/deps'
import { genres, type Strategy, storedGenres, THREE } from '../../testing/genres'
import { installAsPlanned } from '../../testing/install-as-planned'
import type { Files } from '../../testing/plugin-api'

const deps = freshDeps()

const install = (files: Files) => installAsPlanned(deps, files)

describe.each<Strategy>(['AutoIncrement', 'UUID'])(
  'records whose keys are made by %s',
  (strategy) => {
    test('conflict with Error, and are kept with Ignore', async () => {
      await install(genres(THREE, { strategy, onDuplicate: 'Error' }))
      const again = await install(genres(THREE, { strategy, onDuplicate: 'Error' }))
      expect(again.verdict).toBe('Conflict Issue!')
      expect(again.log?.detailCount).toBe(3)
      expect(again.log?.details[0]).toMatchObject({ index: 0, key: expect.anything() })
      expect((await install(genres(THREE, { strategy, onDuplicate: 'Ignore' }))).counts).toEqual([
        0, 0, 3,
      ])
      expect(await storedGenres(deps)).toHaveLength(3)
    })
  },
)
