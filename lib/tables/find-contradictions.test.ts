import { expect, test } from 'vitest'
import { type Db, one } from '@/lib/db/sql'
import { testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import type { DdlStep } from './ddl-step'
import { findContradictions } from './find-contradictions'

const LENGTH = 150_000

/** Passes statements on and notes the size of the largest result. */
function measured(tx: Db) {
  const seen = { most: 0 }
  const execute = async (query: Parameters<Db['execute']>[0]) => {
    const result = await tx.execute(query)
    seen.most = Math.max(seen.most, JSON.stringify(result).length)
    return result
  }
  const db = new Proxy(tx, {
    get: (target, name) => (name === 'execute' ? execute : Reflect.get(target, name)),
  })
  return { db, seen }
}

test('texts of any length are checked with only a few of them in memory', async () => {
  const deps = await testDeps()
  const texts = Array.from({ length: 30 }, (_, n) => `${n}${'x'.repeat(LENGTH)}`)
  const { table, keys, properties } = await installTestEntity(
    deps,
    {
      entity: { name: 'Thing' },
      schema: {
        properties: [
          { name: 'a', type: 'string' },
          { name: 'b', type: 'string' },
        ],
      },
    },
    [...texts, 'short'].map((a) => ({ a, b: `same ${'y'.repeat(LENGTH)}` })),
  )
  for (const [name, count] of [
    ['a', 31],
    ['b', 31],
  ] as const) {
    const found = one(properties.filter((property) => property.name === name))
    const property = { ...found, rules: { ...found.rules, pattern: '^$' } }
    await deps.db.transaction(async (tx) => {
      const { db, seen } = measured(tx)
      const step: DdlStep = { type: 'check-values', table, property, rules: ['pattern'] }
      const wrong = await findContradictions(db, step, keys)
      expect(wrong.count).toBe(count)
      expect(wrong.details).toHaveLength(count)
      expect(JSON.stringify(wrong.details).length).toBeLessThan(count * 1_000)
      expect(seen.most).toBeLessThan(3 * LENGTH)
    })
  }
})
