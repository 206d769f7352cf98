import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { genres, type Strategy } from '../../testing/genres'
import { installAsPlanned } from '../../testing/install-as-planned'
import type { Files } from '../../testing/plugin-api'

const deps = freshDeps()

const install = (files: Files) => installAsPlanned(deps, files)

describe.each<Strategy>(['AutoIncrement', 'UUID'])(
  'records whose keys are made by %s',
  (strategy) => {
    test('stay the same records where the file changes them slightly', async () => {
      const genre = (name: string, text: string, more = {}) => ({ name, text, rank: 1, ...more })
      await install(
        genres([genre('Crime', 'a'), genre('Drama', 'b'), genre('Poetry', 'c')], { strategy }),
      )
      const ids = sql`select string_agg("$extra" ->> 'name' || id::text, ' ' order by id) as ids from entities.genre`
      const [before] = await rows<{ ids: string }>(deps.db, ids)
      const next = [
        genre('Poetry', 'c'),
        genre('Drama', 'changed', { new: true }),
        genre('Crime', 'a'),
        genre('Essay', 'e'),
      ]
      expect((await install(genres(next, { strategy }))).counts).toEqual([1, 1, 2])
      await deps.db.execute(sql`delete from entities.genre where "$extra" ->> 'name' = 'Essay'`)
      expect(await rows(deps.db, ids)).toEqual([before])
      expect((await install(genres(next, { strategy }))).counts).toEqual([0, 0, 3])
    })
  },
)
