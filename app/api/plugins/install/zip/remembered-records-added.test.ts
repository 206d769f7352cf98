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
    test('are added where they are new, and stay where the file has them no longer', async () => {
      await install(genres(THREE, { strategy }))
      const next = [{ name: 'Poetry' }, { name: 'Poetry' }, { name: 'Poetry' }, { name: 'Drama' }]
      expect((await install(genres(next, { strategy }))).counts).toEqual([2, 0, 2])
      expect(await storedGenres(deps)).toEqual(['Crime', 'Drama', 'Poetry', 'Poetry', 'Poetry'])
      expect((await install(genres(THREE, { strategy }))).counts).toEqual([0, 0, 3])
    })
  },
)
