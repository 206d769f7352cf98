import { describe, expect, test } from 'vitest'
import { entityTypes } from '@/lib/db/schema'
import { loadTypes } from '@/lib/registry/registry-rows'
import { freshDeps } from '@/lib/testing/deps'
import { defineType } from './define-type'

const deps = freshDeps()
const define = (name: string, baseType: string, meta = {}, pluginId = 'a') =>
  defineType(deps.db, { name, baseType, meta }, pluginId)

describe('a type', () => {
  test('is kept, changed and left alone', async () => {
    expect((await define('Code', 'string', { length: 3 })).status).toBe('created')
    expect((await define('Code', 'string', { length: 3 })).status).toBe('unchanged')
    const outcome = await define('Code', 'string', { length: 4 }, 'b')
    expect(outcome).toEqual({
      status: 'updated',
      steps: [],
      notes: ['Code came from the plugin a'],
    })
    expect(await loadTypes(deps.db)).toEqual([
      { name: 'Code', baseType: 'string', meta: { length: 4 } },
    ])
    expect(await deps.db.select().from(entityTypes)).toMatchObject([{ pluginId: 'b' }])
  })

  test('may be based on another', async () => {
    await define('Code', 'string')
    expect((await define('Iata', 'code', { length: 3 })).status).toBe('created')
  })

  test.each<[string, string, string, object, string]>([
    ['without its base', 'A', 'Nowhere', {}, 'Missing dependency'],
    ['based on itself', 'A', 'A', {}, 'Missing dependency'],
    ['with rules that do not fit', 'A', 'integer', { pattern: 'a' }, 'Invalid definition'],
    ['that differs from another in case', 'CODE', 'string', {}, 'Invalid definition'],
  ])('is refused %s', async (_, name, baseType, meta, verdict) => {
    await define('Code', 'string')
    await expect(define(name, baseType, meta)).rejects.toMatchObject({ verdict })
    expect(await loadTypes(deps.db)).toHaveLength(1)
  })

  test('cannot close a cycle', async () => {
    await define('Egg', 'string')
    await define('Hen', 'Egg')
    await expect(define('Egg', 'Hen')).rejects.toMatchObject({
      verdict: 'Invalid definition',
      details: [{ message: expect.stringContaining('based on each other') }],
    })
  })
})
