import { describe, expect, test } from 'vitest'
import { POST as CREATE } from '@/app/api/entities/[entityName]/route'
import { testsOnCitus } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { POST } from './route'
import { deps, headers, regions } from './testing/cities'

const WHERE = 'its records are on the nodes of a cluster'

const send = (handler: typeof POST, entityName: string, body: object) =>
  call(deps, handler, { method: 'POST', path: '/', params: { entityName }, headers, body })

// Entities of tests are distributed on a cluster.
describe.runIf(testsOnCitus())('on the nodes of a cluster', () => {
  test.each<[string, object, string]>([
    ['a list of related records', { expand: ['CityByRegion'] }, 'listed'],
    [
      'a condition on related records',
      { query: [{ field: 'CityByRegion.some.id', operator: 'gt', value: 5 }] },
      'searched here',
    ],
    ['a sort by their number', { sort: [{ field: 'CityByRegion.$count' }] }, 'searched here'],
    ['their number as a field', { fields: ['id', 'CityByRegion.$count'] }, 'searched here'],
    ['their sum as a field', { fields: ['CityByRegion.$sum.id'] }, 'searched here'],
  ])('%s is refused in words', async (_, asked, verb) => {
    const { status, body } = await send(POST, 'Region', asked)
    expect(status).toBe(400)
    expect(JSON.stringify(body.validations)).toContain(`can't be ${verb}: ${WHERE}`)
  })

  test('records with new related ones are refused, and none is made', async () => {
    const refused = await call(deps, CREATE, {
      ...{ method: 'POST', path: '/', params: { entityName: 'Region' }, as: 'ADMIN' },
      body: { id: 9, CityByRegion: [{ id: 900 }] },
    })
    expect([refused.status, refused.body.code]).toEqual([400, 400])
    expect(refused.body.error).toContain('nodes of a cluster')
    const { body } = await send(POST, 'Region', {})
    expect(body.pagination.total).toBe(regions.length)
  })

  test('what a record refers to is found and returned', async () => {
    const query = [{ field: 'region.name', operator: 'eq', value: 'Lazio' }]
    const { status, body } = await send(POST, 'City', { query, expand: ['region'], sort: [] })
    expect(status).toBe(200)
    expect(body.pagination.total).toBeGreaterThan(0)
    expect(body.data[0].region).toMatchObject({ id: 1, name: 'Lazio', country: 'IT' })
  })
})
