import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { drift } from '../../testing/generated-values'
import { install } from '../../testing/plugin-api'
import { rollback } from '../../testing/rollbacks'
import {
  deleteWhere,
  empty,
  installShared,
  NONE,
  shared,
  stored,
  sumOf,
  twelve,
} from '../../testing/several-files'
import { table } from '../../testing/upgrades'
import { deps, installed } from '../../testing/versions'

const FILES = shared(twelve())

test('an emptied entity is filled again by all of its files', async () => {
  await installed(FILES)
  const before = await stored()
  await empty()
  expect(sumOf(await installShared(FILES))).toEqual({ ...NONE, created: 12 })
  expect(await stored()).toEqual(before)
  expect(await drift()).toEqual([])
})

test('an emptied entity is filled to the end by a later install when a file fails', async () => {
  await installed(FILES)
  await deleteWhere('true')
  await install(deps, shared({ ...twelve(), b: [{ id: 'none' }] }))
  expect(await stored()).toHaveLength(9)
  expect(sumOf(await installShared(FILES))).toEqual({ ...NONE, created: 3, unchanged: 9 })
})

test('an entity with a record of somebody else is not emptied', async () => {
  await installed(FILES)
  await empty()
  await deps.db.execute(sql`insert into ${table} (id, name) values (99, 'own')`)
  expect(sumOf(await installShared(FILES))).toEqual({ ...NONE, kept: 12 })
})

test('the rollback of an install that filled an emptied entity empties it', async () => {
  await installed(FILES)
  await empty()
  const { body } = await install(deps, FILES)
  await rollback(body.data.history)
  expect(await stored()).toEqual([])
  expect(sumOf(await installShared(FILES))).toEqual({ ...NONE, created: 12 })
})
