import { expect } from 'vitest'
import { POST as SEARCH } from '@/app/api/entities/[entityName]/search/route'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { type Files, install, type Log } from './plugin-api'

export const deps = freshDeps()

export const SCHEMA = 'EngineSchemas/Thing.json'
export const ENTITY = 'EngineEntities/Thing.json'

export type Version = {
  properties?: object[]
  schema?: object
  entity?: object
  records?: object[]
}

/** A version of a plugin with one entity. */
export function version({ properties, schema, entity, records }: Version): Files {
  const pks = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
  return pluginFiles({
    EngineEntities: {
      files: { 'Thing.json': { name: 'Thing', pks, insertDuplicate: 'Upsert', ...entity } },
    },
    ...(properties
      ? { EngineSchemas: { files: { 'Thing.json': { name: 'Thing', properties, ...schema } } } }
      : {}),
    ...(records ? { Thing: { files: { 'data.json': records } } } : {}),
  })
}

/** Installs a version that must succeed in whole. */
export async function installed(files: Files): Promise<Log[]> {
  const { body, logs } = await install(deps, files)
  expect({ body, failed: logs.filter(({ status }) => status === 'failed') }).toMatchObject({
    body: { data: { failedCount: 0 } },
    failed: [],
  })
  return logs
}

export const logOf = (logs: readonly Log[], path: string) => logs.find((log) => log.path === path)

export async function search(body: object = {}) {
  const response = await call(deps, SEARCH, {
    method: 'POST',
    path: '/api/entities/Thing/search',
    params: { entityName: 'Thing' },
    body: { sort: [{ field: 'id', direction: 'asc' }], ...body },
    as: 'ADMIN',
  })
  return response.body.data?.map(
    ({ persistenceId: _, ...record }: Record<string, unknown>) => record,
  )
}

export const text = (name: string, meta: object = {}) => ({ name, type: 'string', meta })
export const integer = (name: string, meta: object = {}) => ({ name, type: 'integer', meta })
