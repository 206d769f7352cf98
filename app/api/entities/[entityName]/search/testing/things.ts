import fc from 'fast-check'
import { beforeAll } from 'vitest'
import { GET } from '@/app/api/entities/[entityName]/route'
import { POST } from '@/app/api/entities/[entityName]/search/route'
import { currentDeps, testDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import {
  type Model,
  type ModelCondition,
  type ModelSort,
  type ModelTest,
  searchModel,
} from '@/lib/testing/search-model'
import type { Json, JsonObject } from '@/lib/values/json'

import { kinds, recordOf, schema } from './random-searches'

export const deps = currentDeps()
export let headers: Record<string, string>

export let model: Model

beforeAll(async () => {
  await testDeps()
  const records = fc
    .sample(recordOf, { numRuns: 70, seed: 7 })
    .map((record, index) => ({ id: index + 1, ...record }) as JsonObject)
  await installTestEntity(deps, { entity: { name: 'Thing' }, schema }, records)
  model = { kinds, key: 'id', records }
  headers = { authorization: `Bearer ${await testKey(deps, ['VIEWER'])}` }
})

export type Asked = { conditions: ModelCondition[]; sort: ModelSort[]; page: number; size: number }

export function expected({ conditions, sort, page, size }: Asked) {
  const found = searchModel(model, conditions, sort)
  const pages = Math.ceil(found.length / size)
  return {
    ids: found.slice(page * size, (page + 1) * size).map(({ id }) => id),
    pagination: {
      current: page,
      total: found.length,
      pages,
      first: page === 0 || pages === 0,
      last: page + 1 >= pages,
    },
  }
}

export const params = { entityName: 'Thing' }
export type Received = {
  status: number
  body: { data: JsonObject[]; pagination: { last: boolean; next?: string } }
}
export const idsOf = ({ status, body }: Received) => {
  if (status !== 200) throw new Error(JSON.stringify(body))
  const { next, ...pagination } = body.pagination
  if ((next === undefined) !== pagination.last) throw new Error('A cursor where there is no more')
  return { ids: body.data.map(({ id }) => id), pagination }
}

export const byBody = async ({ conditions, sort, page, size }: Asked) => {
  const body = { query: conditions, sort, pagination: { page, size } }
  const path = '/api/entities/Thing/search'
  return idsOf(await call(deps, POST, { method: 'POST', path, params, headers, body }))
}

export const byUrl = async ({ sort, page, size, ...asked }: Asked) => {
  const search = new URLSearchParams({ page: String(page), size: String(size) })
  if (asked.conditions.length > 0)
    search.set('filter', (asked.conditions as ModelTest[]).map(conditionText).join(','))
  if (sort.length > 0) search.set('sort', sort.map((one) => `${one.field}:${one.direction}`).join())
  return idsOf(await call(deps, GET, { path: `/api/entities/Thing?${search}`, params, headers }))
}

function conditionText({ field, operator, value }: ModelTest): string {
  if (value === undefined) return `${field}:${operator}`
  const isList = ['in', 'nin', 'between'].includes(operator.toLowerCase())
  const texts = isList ? (value as Json[]).map(valueText) : [valueText(value)]
  return `${field}:${operator}:${texts.join('|')}`
}

function valueText(value: Json): string {
  if (value === null) return 'null'
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const isPlain = typeof value !== 'string' || !/[",|]|^null$/.test(text)
  return isPlain && typeof value !== 'object' ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}
