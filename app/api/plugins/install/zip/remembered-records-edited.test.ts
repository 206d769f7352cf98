import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { freshDeps } from '@/lib/testing/deps'
import { genres, type Strategy, storedGenres, THREE } from '../../testing/genres'
import { installAsPlanned } from '../../testing/install-as-planned'
import type { Files } from '../../testing/plugin-api'

const deps = freshDeps()

const install = (files: Files) => installAsPlanned(deps, files)

describe.each<Strategy>(['AutoIncrement', 'UUID'])(
  'records whose keys are made by %s',
  (strategy) => {
    test('stay as users changed them, and deleted where users deleted them', async () => {
      await install(genres(THREE, { strategy }))
      const keys = () =>
        rows<{ id: string }>(deps.db, sql`select id::text from entities.genre order by 1`)
      const before = await keys()
      await deps.db.execute(
        sql`update entities.genre set "$extra" = '{"name": "Mine"}' where "$extra" ->> 'name' = 'Crime'`,
      )
      await deps.db.execute(
        sql`delete from entities.genre where id = (select max(id) from entities.genre where "$extra" ->> 'name' = 'Poetry')`,
      )
      const deleted = { counts: [0, 0, 2], log: { deleted: { kept: 1, restored: 0 } } }
      expect(await install(genres(THREE, { strategy }))).toMatchObject(deleted)
      const taken = await installAsPlanned(deps, genres(THREE, { strategy }), '&onConflict=take')
      expect(taken).toMatchObject(deleted)
      expect(await storedGenres(deps)).toEqual(['Mine', 'Poetry'])
      expect(before).toEqual(expect.arrayContaining(await keys()))
    })
  },
)
