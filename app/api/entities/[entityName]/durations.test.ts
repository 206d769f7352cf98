import { sql } from 'drizzle-orm'
import { readXlsx } from 'hucre/xlsx'
import { beforeEach, describe, expect, test } from 'vitest'
import { importsOfUser } from '@/app/api/imports/testing/imports-api'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import type { Handler } from '@/lib/http/route'
import { freshDeps, testsOfCore } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import * as restoring from './[id]/history/[version]/restore/route'
import * as history from './[id]/history/route'
import * as one from './[id]/route'
import * as batch from './batch/route'
import * as exporting from './export/route'
import * as entity from './route'
import * as search from './search/route'

// On PostgreSQL and on the embedded database, whose drivers read intervals differently.
const deps = freshDeps()
let headers: Record<string, string>

const properties = [
  { name: 'name', type: 'string' },
  { name: 'takes', type: 'duration' },
  { name: 'slot', type: 'duration', unique: true },
  { name: 'kind', type: 'duration', enum: ['PT1H', 'P1D'], default: 'PT1H' },
]
const TASK = { entity: { name: 'Task', history: true }, schema: { properties } }

beforeEach(async () => {
  headers = { authorization: `Bearer ${await testKey(deps, ['EDITOR'])}` }
  await installTestEntity(deps, TASK)
})

type Sent = { body?: unknown; id?: number; query?: string; version?: string }

const send = (routes: object, method: string, { body, id, query = '', version }: Sent = {}) =>
  call(deps, (routes as Record<string, Handler>)[method] as Handler, {
    ...{ method, path: `/api/entities/Task/x?${query}`, body, headers },
    params: {
      entityName: 'Task',
      ...(id === undefined ? {} : { id: String(id) }),
      ...(version === undefined ? {} : { version }),
    },
  })

const create = (...takes: (string | null)[]) =>
  send(batch, 'POST', { body: takes.map((each, at) => ({ name: `t${at}`, takes: each })) })

const found = async (condition: object, more: object = {}) => {
  const body = { query: [{ field: 'takes', ...condition }], sort: [{ field: 'takes' }], ...more }
  const { status, body: response } = await send(search, 'POST', { body })
  return status === 200 ? response.data.map((each: { takes: string }) => each.takes) : response
}

describe('a duration', () => {
  test.each([
    ['P1DT2H30M', 'P1DT2H30M'],
    ['P14M3W', 'P1Y2M21D'],
    ['PT90M', 'PT1H30M'],
    ['PT36H', 'PT36H'],
    ['-P1DT0.5S', 'P-1DT-0.5S'],
    ['P1M-1D', 'P1M-1D'],
    ['P0D', 'PT0S'],
    ['PT1.1234567S', 'PT1.123456S'],
    ['P9999Y11M9999999DT99999999H', 'P9999Y11M9999999DT99999999H'],
  ])('that is sent as %s is returned as %s', async (sent, returned) => {
    const { status, body } = await send(entity, 'POST', { body: { takes: sent } })
    expect([status, body.data[0].takes]).toEqual([201, returned])
    const changed = await send(one, 'PATCH', { id: 1, body: { takes: 'PT1S' } })
    expect(changed.body.data[0].takes).toBe('PT1S')
    await send(one, 'PATCH', { id: 1, body: { takes: returned } })
    expect((await send(one, 'GET', { id: 1 })).body.data[0].takes).toBe(returned)
  })

  test('is returned the same whatever the server writes intervals like', async () => {
    await create('P1Y2M3DT4H5M6.5S', '-P1D')
    for (const style of ['postgres', 'sql_standard', 'postgres_verbose', 'iso_8601']) {
      await deps.db.execute(sql.raw(`set intervalstyle = ${style}`))
      expect(await found({ operator: 'notnull' })).toEqual(['P-1D', 'P1Y2M3DT4H5M6.5S'])
    }
    await deps.db.execute(sql.raw('reset intervalstyle'))
  })

  test.each(['1 day', 'P1H', '', 90, 'PT100000000H', {}])('is not %j', async (sent) => {
    const { status, body } = await send(entity, 'POST', { body: { takes: sent } })
    expect(status).toBe(400)
    expect(body.validations).toEqual([
      { field: 'takes', error: 'must be a duration (ISO 8601, such as P1DT2H30M)' },
    ])
  })

  test('is one of those that the definition allows, and may be the default', async () => {
    expect((await send(entity, 'POST', { body: {} })).body.data[0].kind).toBe('PT1H')
    const { status, body } = await send(entity, 'POST', { body: { kind: 'PT2H' } })
    expect([status, body.validations[0].error]).toEqual([400, 'must be one of "PT1H", "P1D"'])
  })

  test('is taken by an equal one where it is unique', async () => {
    await send(entity, 'POST', { body: { slot: 'P1D' } })
    expect((await send(entity, 'POST', { body: { slot: 'PT24H' } })).status).toBe(409)
    const both = [{ slot: 'P1M' }, { slot: 'P30D' }]
    expect((await send(batch, 'POST', { body: both })).status).toBe(409)
  })
})

describe('a search by durations', () => {
  beforeEach(() => create('PT30M', 'P1D', 'PT24H', 'P1M', null, '-PT1H'))

  test.each([
    ['eq', 'P1D', ['P1D', 'PT24H']],
    ['ne', 'PT24H', ['PT-1H', 'PT30M', 'P1M', null]],
    ['gt', 'PT23H', ['P1D', 'PT24H', 'P1M']],
    ['gte', 'P30D', ['P1M']],
    ['lt', 'PT0S', ['PT-1H']],
    ['lte', 'PT0.5H', /a duration \(ISO 8601, such as P1DT2H30M\)/],
    ['lte', ' PT1800S ', ['PT-1H', 'PT30M']],
    ['between', ['PT1M', 'P1D'], ['PT30M', 'P1D', 'PT24H']],
    ['in', ['P1M', 'PT30M'], ['PT30M', 'P1M']],
    ['nin', ['P1M', 'PT30M'], ['PT-1H', 'P1D', 'PT24H', null]],
    ['isnull', undefined, [null]],
    ['notnull', undefined, ['PT-1H', 'PT30M', 'P1D', 'PT24H', 'P1M']],
    ['like', 'P%', /does not suit "takes", which is a duration/],
  ])('%s %j', async (operator, value, expected) => {
    const result = await found({ operator, value })
    if (expected instanceof RegExp) expect(result.validations[0].error).toMatch(expected)
    else expect(result).toEqual(expected)
  })

  test('goes on after a cursor, in both directions', async () => {
    for (const direction of ['asc', 'desc']) {
      const seen: unknown[] = []
      let cursor: string | undefined
      do {
        const sort = [{ field: 'takes', direction }]
        const body = { sort, pagination: { size: 2, ...(cursor ? { cursor } : {}) } }
        const { body: page } = await send(search, 'POST', { body })
        seen.push(...page.data.map(({ takes }: { takes: string }) => takes))
        cursor = page.pagination.next
      } while (cursor)
      const order = ['PT-1H', 'PT30M', 'P1D', 'PT24H', 'P1M']
      expect(seen).toEqual(
        direction === 'asc' ? [...order, null] : ['P1M', 'PT24H', 'P1D', 'PT30M', 'PT-1H', null],
      )
    }
  })

  test('groups equal ones, and finds the shortest and the longest', async () => {
    const aggregate = ['MIN', 'MAX', 'COUNT'].map((name) => ({ function: name, field: 'takes' }))
    const { body } = await send(search, 'POST', { body: { groupBy: { aggregate } } })
    expect(body.data).toEqual([{ min_takes: 'PT-1H', max_takes: 'P1M', count_takes: 5 }])
    const groups = await send(search, 'POST', {
      body: { groupBy: { fields: ['takes'], aggregate: [{ function: 'COUNT' }] } },
    })
    expect(groups.body.data).toHaveLength(5)
    const sum = { groupBy: { aggregate: [{ function: 'SUM', field: 'takes' }] } }
    expect((await send(search, 'POST', { body: sum })).status).toBe(400)
  })
})

describe('files with durations', () => {
  beforeEach(() => create('P1DT2H30M', '-PT1H'))

  const exported = async (format: string) =>
    call(deps, exporting.POST as Handler, {
      ...{ method: 'POST', path: `/api/entities/Task/export?format=${format}`, headers },
      ...{ params: { entityName: 'Task' }, body: { fields: ['name', 'takes'] } },
    })

  test('have ISO 8601 in CSV and JSON, which is read again', async () => {
    const { text } = await exported('csv')
    expect(text.replaceAll('\uFEFF', '')).toBe('name,takes\r\nt0,P1DT2H30M\r\nt1,PT-1H\r\n')
    expect((await exported('json')).body).toEqual([
      { name: 't0', takes: 'P1DT2H30M' },
      { name: 't1', takes: 'PT-1H' },
    ])
    const mine = await importsOfUser(deps)
    const lines = '{"name":"a","takes":"P2D"}\n{"name":"b","takes":"two days"}\n'
    for (const [file, fileName] of [
      [`name,takes\na, PT90M \nb,soon`, 'x.csv'],
      [lines, 'x.jsonl'],
    ] as const) {
      const sent = { entityName: 'Task', fileName, query: 'partial=true' }
      expect(await mine.result(file, sent)).toMatchObject({
        ...{ created: 1, refused: 1 },
        groups: [{ rule: 'type', field: 'takes', allowed: 'duration' }],
      })
    }
    expect(await found({ operator: 'in', value: ['P2D', 'PT90M'] })).toEqual(['PT1H30M', 'P2D'])
  })
})

describe('durations come back', () => {
  beforeEach(() => create('P1Y2M3DT4H', '-P1DT0.5S'))

  const all = ['P-1DT-0.5S', 'P1Y2M3DT4H']

  test.skipIf(testsOfCore())('from the trash', async () => {
    const body = { entity: 'Task' }
    const { body: deleted } = await send(batch, 'DELETE', { body, query: 'undo=7d' })
    expect(await found({ operator: 'notnull' })).toEqual([])
    const { batchId } = deleted.meta
    const path = `/api/trash/${batchId}/restore`
    const restored = await call(deps, RESTORE, {
      ...{ method: 'POST', path, params: { batchId }, headers },
    })
    expect(restored.body.data).toEqual([{ restored: 2, conflicts: [] }])
    expect(await found({ operator: 'notnull' })).toEqual(all)
  })

  test('from the history, where each version has the form of records', async () => {
    await send(one, 'PATCH', { id: 1, body: { takes: 'PT90M' } })
    const { body } = await send(history, 'GET', { id: 1 })
    expect(body.data[0].changes).toEqual([
      { field: 'takes', before: 'P1Y2M3DT4H', after: 'PT1H30M' },
    ])
    const { version } = body.data[1]
    const restored = await send(restoring, 'POST', { id: 1, version: String(version) })
    expect(restored.status).toBe(200)
    expect(await found({ operator: 'notnull' })).toEqual(all)
  })

  test('when a field becomes a text and a duration again', async () => {
    const as = (type: string) =>
      installTestEntity(deps, {
        ...TASK,
        schema: {
          properties: [
            { name: 'name', type: 'string' },
            { name: 'takes', type },
          ],
        },
      })
    await as('string')
    expect((await found({ operator: 'notnull' })).sort()).toEqual(all)
    await as('duration')
    expect(await found({ operator: 'notnull' })).toEqual(all)
  })
})

test('a sheet has durations as texts', async () => {
  await create('P1DT2H30M')
  const request = await import('@/lib/testing/request')
  const made = await request.testRequest(deps, {
    ...{ method: 'POST', path: '/api/entities/Task/export?format=xlsx', headers },
    body: { fields: ['takes'] },
  })
  const response = await exporting.POST(made, { params: Promise.resolve({ entityName: 'Task' }) })
  const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()))
  expect(sheets[0]?.rows).toEqual([['takes'], ['P1DT2H30M']])
})
