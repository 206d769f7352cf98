import { describe, expect, test } from 'vitest'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { DELETE } from './route'
import { above, deps, left, remove } from './testing/things'

describe('refuses and deletes nothing', () => {
  const query = [above(4)]
  test.each<[name: string, status: number, body: unknown, query: string, error: RegExp]>([
    ['no body', 400, undefined, '', /JSON body/],
    ['no entity', 400, { query }, '', /entity/],
    ['another entity', 400, { entity: 'thing', query }, '', /"Thing"/],
    ['an entity that is no text', 400, { entity: 1, query }, '', /entity/],
    ['a query that is no list', 400, { entity: 'Thing', query: {} }, '', /query/],
    ['a query that is null', 400, { entity: 'Thing', query: null }, '', /query/],
    ['two queries', 400, { entity: 'Thing', query, filters: query }, '', /filters/],
    [
      'an unknown field',
      400,
      { entity: 'Thing', query: [...query, { field: 'agee', operator: 'eq', value: 1 }] },
      '',
      /"age"/,
    ],
    [
      'an unknown operator',
      400,
      { entity: 'Thing', query: [{ field: 'age', operator: 'equal', value: 1 }] },
      '',
      /operator/,
    ],
    [
      'a bad value',
      400,
      { entity: 'Thing', query: [{ field: 'age', operator: 'gt', value: 'x' }] },
      '',
      /"x"/,
    ],
    ['another number', 409, { entity: 'Thing', query }, 'expected=19', /20.*19/],
    ['another number of all', 409, { entity: 'Thing' }, 'expected=24', /25.*24/],
    ['another number in a dry run', 409, { entity: 'Thing' }, 'expected=24&dryRun=true', /25.*24/],
    ['a number that is none', 400, { entity: 'Thing', query }, 'expected=x', /whole/],
    ['a dry run that is none', 400, { entity: 'Thing', query }, 'dryRun=perhaps', /true or false/],
    ['an unknown parameter', 400, { entity: 'Thing', query }, 'dryrun=true', /"dryRun"/],
  ])('%s', async (_, status, body, parameters, error) => {
    const response = await remove(body, parameters)
    expect(response.status).toBe(status)
    expect(response.body.error).toMatch(error)
    expect(await left()).toBe(25)
  })

  test('an unknown entity', async () => {
    expect((await remove({ entity: 'Thingg' }, '', 'Thingg')).status).toBe(404)
  })

  test('an entity that forbids it', async () => {
    const entity = { name: 'Kept', permissions: { delete: false } }
    await installTestEntity(deps, { entity }, [{ id: 1 }])
    expect((await remove({ entity: 'Kept' }, '', 'Kept')).status).toBe(403)
    expect(await left('kept')).toBe(1)
  })

  test('a system entity, which is read-only', async () => {
    const { status, headers } = await remove({ entity: 'EngineUsers' }, '', 'EngineUsers')
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe('OPTIONS')
  })

  test.each([
    ['a caller without a credential', 401, undefined],
    ['a reader', 403, 'VIEWER'],
    ['a stranger', 403, 'GUEST'],
  ])('%s', async (_, status, as) => {
    const asked = { method: 'DELETE', path: '/', params: { entityName: 'Thing' } }
    expect((await call(deps, DELETE, { ...asked, as, body: { entity: 'Thing' } })).status).toBe(
      status,
    )
    expect(await left()).toBe(25)
  })
})
