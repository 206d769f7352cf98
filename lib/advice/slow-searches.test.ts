import { expect, test } from 'vitest'
import { searchShapes } from '@/lib/db/schema'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { MAX_SHAPES, type NotedSearch, saveShapes } from './store'

const deps = freshDeps()

const noted = (hash: number, more: Partial<NotedSearch> = {}): NotedSearch => ({
  entity: 'Thing',
  hash: String(hash),
  shape: { where: [], sort: [], count: 'exact' },
  runs: 1,
  totalMs: hash,
  maxMs: hash,
  lastMs: hash,
  lastAt: new Date(),
  isKnown: true,
  ...more,
})

test('of an entity as many shapes are kept as took the most time, recent ones first', async () => {
  await installTestEntity(deps, { entity: { name: 'Thing' } })
  const old = noted(100_000, { lastAt: new Date(0) })
  await saveShapes(deps.db, [old, ...Array.from({ length: 80 }, (_, n) => noted(n))])
  await saveShapes(
    deps.db,
    Array.from({ length: 80 }, (_, n) => noted(n + 80)),
  )
  const kept = await deps.db.select({ hash: searchShapes.hash }).from(searchShapes)
  const hashes = kept.map(({ hash }) => Number(hash)).sort((a, b) => a - b)
  expect(hashes).toEqual(Array.from({ length: MAX_SHAPES }, (_, n) => n + 60))
})

test('figures add up, and runs that were never slow count for stored shapes alone', async () => {
  await installTestEntity(deps, { entity: { name: 'Thing' } })
  await saveShapes(deps.db, [noted(7)])
  await saveShapes(deps.db, [
    noted(7, { runs: 2, totalMs: 4, maxMs: 3, isKnown: false }),
    noted(8, { isKnown: false }),
    noted(9, { entity: 'Gone' }),
  ])
  expect(await deps.db.select().from(searchShapes)).toMatchObject([
    { hash: '7', runs: 3, totalMs: 11, maxMs: 7 },
  ])
})
