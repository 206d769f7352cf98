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
    test('are known again when their file is installed again', async () => {
      expect((await install(genres(THREE, { strategy }))).counts).toEqual([3, 0, 0])
      expect(await install(genres(THREE, { strategy }))).toMatchObject({
        verdict: 'unchanged',
        counts: [0, 0, 3],
      })
      const reordered = [
        { name: 'Poetry' },
        { tags: { b: [2], a: 1 }, name: 'Crime' },
        { name: 'Poetry' },
      ]
      expect((await install(genres(reordered, { strategy }))).counts).toEqual([0, 0, 3])
      expect(await storedGenres(deps)).toEqual(['Crime', 'Poetry', 'Poetry'])
    })
  },
)
