import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { edit, next, THREE, upgrade } from '../../testing/upgrades'
import { deps, installed, search } from '../../testing/versions'

test('records that the archive no longer has stay, or go to the trash if they are unchanged', async () => {
  await installed(next(THREE))
  await edit(`price = 9`, 2)
  const kept = await upgrade(THREE.slice(0, 1))
  expect(kept.log?.removed).toEqual({ total: 2, deleted: 0 })
  const { log } = await upgrade(THREE.slice(0, 1), '&removed=delete')
  expect(log).toMatchObject({ status: 'updated', removed: { total: 2, deleted: 1 } })
  expect(await search({ fields: ['id'] })).toEqual([{ id: 1 }, { id: 2 }])
  expect(
    await rows(deps.db, sql`select data ->> 'name' as name from engine.trash_records`),
  ).toEqual([{ name: 'Fork' }])
})
