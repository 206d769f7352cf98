import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { rows } from '@/lib/db/sql'
import { likeSql } from '@/lib/search/like-pattern'
import { currentDeps, testDeps, testsOnCitus } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import { POST } from './route'

const deps = currentDeps()
let headers: Record<string, string>

const properties = [
  { name: 'name', type: 'string', meta: { searchable: true } },
  { name: 'info', type: 'json' },
  { name: 'tags', type: 'array' },
]

const NAMES = ['ο λόγος του', 'ΛΌΓΟΣ', 'λόγοσ', 'λόγου', 'σας_%\\']

beforeAll(async () => {
  await testDeps()
  const records = NAMES.map((name, at) => ({
    ...{ id: at + 1, name, info: { name }, tags: [name], more: name },
  }))
  await installTestEntity(deps, { entity: { name: 'Word' }, schema: { properties } }, records)
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

async function found(field: string, operator: string, value: string): Promise<number[]> {
  const path = '/api/entities/Word/search'
  const body = { query: [{ field, operator, value }] }
  const params = { entityName: 'Word' }
  const response = await call(deps, POST, { method: 'POST', path, params, headers, body })
  return response.body.data.map(({ id }: JsonObject) => id)
}

const FIELDS = ['name', 'info.name', 'more', 'tags']

test.each<[operator: string, value: string, ids: number[]]>([
  ['icontains', 'ΛΌΓΟΣ', [1, 2, 3]],
  ['icontains', 'λόγος', [1, 2, 3]],
  ['ilike', 'λόγοσ%', [2, 3]],
  ['istarts', 'λόγος', [2, 3]],
  ['iends', 'γος', [2, 3]],
  ['iends', 'ΟΣ ΤΟΥ', [1]],
  ['istarts', 'ΣΑΣ_%\\', [5]],
  ['contains', 'λόγος', [1]],
  ['matches', '(?i)^ΛΌΓΟΣ$', [2, 3]],
  ['matches', '(?i)[Α-Ω]ας', [5]],
])(
  '%s %s takes the final sigma for a sigma, unless it is case-sensitive',
  async (operator, value, ids) => {
    const asked = operator === 'matches' ? ['name'] : FIELDS
    for (const field of asked) {
      const isElement = field === 'tags' && operator.endsWith('contains')
      const wholes = ids.filter((id) => [2, 3].includes(id))
      expect(await found(field, operator, value), field).toEqual(
        isElement ? (operator === 'contains' ? [] : wholes) : ids,
      )
    }
  },
)

// On a cluster, the nodes plan their shards by themselves.
test.skipIf(testsOnCitus())('a trigram index serves a pattern with a sigma', async () => {
  const plan = await deps.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    const where = likeSql(sql`name`, '%λόγους%', true)
    return rows(tx, sql`explain select * from entities.word where ${where}`)
  })
  expect(JSON.stringify(plan)).toContain('Bitmap Index Scan')
})
