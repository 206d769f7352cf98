import { describe, expect, test } from 'vitest'
import { call } from '@/lib/testing/request'
import { POST } from './search/route'
import { allow, clerk, deps } from './testing/branches'

type Headers = Record<string, string>

const search = async (headers: Headers, body: object) => {
  const path = '/api/entities/Order/search'
  const params = { entityName: 'Order' }
  const answer = await call(deps, POST, { method: 'POST', path, params, headers, body })
  expect(answer.status).toBe(200)
  return answer.body
}
const eq = (field: string, value: unknown) => ({ field, operator: 'eq', value })

describe('a field that only some records show', () => {
  test('is shown by no others beyond a reference', async () => {
    await allow({ entities: ['Order'] })
    await allow({ entities: ['Branch'], fields: ['region'] })
    await allow({ entities: ['Branch'], where: [eq('region', 'south')], fields: ['budget'] })
    const headers = await clerk()
    const sort = [{ field: 'id' }]
    const shown = await search(headers, { fields: ['id', 'branch.budget'], sort })
    const budgets = shown.data.map((row: Record<string, unknown>) => row['branch.budget'] ?? null)
    expect(budgets).toEqual([null, null, null, 300, 300])
    const known = await search(headers, { query: [eq('branch.budget', 100)] })
    expect(known.pagination.total).toBe(0)
    const aggregate = [{ function: 'MIN', field: 'branch.budget', alias: 'least' }]
    expect((await search(headers, { groupBy: { aggregate } })).data).toEqual([{ least: 300 }])
  })

  test('is not counted for callers who see it in other records', async () => {
    const some = (principals: string[], value: string) =>
      allow({ entities: ['Order'], principals, where: [eq('branch', value)], fields: ['total'] })
    await allow({ entities: ['Order'], principals: ['*'], fields: ['branch'] })
    await some(['Clerk'], 'N1')
    await some(['Chief'], 'S1')
    const [one, other] = [await clerk(), await clerk({}, ['Chief'])]
    const query = [{ field: 'total', operator: 'gte', value: 15 }]
    // Remembered from the second time on.
    for (let at = 0; at < 3; at++) {
      expect((await search(one, { query })).pagination.total).toBe(1)
      expect((await search(other, { query })).pagination.total).toBe(2)
    }
  })
})

test('who lacks a value that a policy denies by is denied all that it names', async () => {
  await allow({ entities: ['Order'] })
  const where = [eq('branch', '$me.profile.closed')]
  await allow({ entities: ['Order'], allow: false, where, fields: ['margin'] })
  const margins = async (headers: Headers) =>
    (await search(headers, {})).data.filter((row: object) => 'margin' in row).length
  expect(await margins(await clerk({ closed: 'S1' }))).toBe(3)
  expect(await margins(await clerk({}))).toBe(0)
})
