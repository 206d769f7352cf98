import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/rows'
import { apiKeys } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { freshDeps } from '@/lib/testing/deps'
import { testKey } from '@/lib/testing/request'
import { currentActor } from './actor'
import { writeKeyUses } from './key-uses'

const deps = freshDeps()
const authenticate = (key: string, db = deps.db) =>
  currentActor({ headers: new Headers({ authorization: `Bearer ${key}` }) }, { ...deps, db })

test('a key is accepted when its use cannot be noted', async () => {
  const key = await testKey(deps, ['ADMIN'])
  const readOnly = deps.db.transaction(
    async (tx) => {
      const db = tx as unknown as Deps['db']
      expect(await authenticate(key, db)).toMatchObject({ type: 'api_key', roles: ['ADMIN'] })
      await writeKeyUses({ ...deps, db })
    },
    { accessMode: 'read only' },
  )
  await readOnly.catch(() => {}) // the note failed in it
  expect(await authenticate(key)).toMatchObject({ roles: ['ADMIN'] })
})

test('the last uses of several keys are written together', async () => {
  const keys = await Promise.all(['a', 'b', 'c'].map(() => testKey(deps, ['ADMIN'])))
  for (const key of keys) await authenticate(key)
  const times = () => deps.db.select({ usedAt: apiKeys.lastUsedAt }).from(apiKeys)
  expect(await times()).toEqual([{ usedAt: null }, { usedAt: null }, { usedAt: null }])
  await writeKeyUses(deps)
  const versions = sql`select distinct xmin::text from engine.api_keys`
  expect(await rows(deps.db, versions)).toHaveLength(1)
  expect((await times()).every(({ usedAt }) => usedAt instanceof Date)).toBe(true)
})
