import { POST as SEARCH } from '@/app/api/entities/[entityName]/search/route'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import type { Files } from './plugin-api'

export const deps = freshDeps()

type Shop = {
  entity?: object
  schema?: object
  schemaName?: string
  data?: object[]
  others?: object
}

/** A plugin with an entity that counts its keys, and a note that refers to it. */
export function shop(
  name: string,
  { entity, schema, schemaName = name, data = [], others }: Shop = {},
): Files {
  const properties = [
    { name: 'email', type: 'string', unique: true },
    { name: 'boss', type: 'bigint', reference: { entity: name, field: 'id' } },
  ]
  return pluginFiles({
    EngineEntities: {
      files: {
        [`${name}.json`]: { name, insertDuplicate: 'Upsert', ...entity },
        'Note.json': { name: 'Note' },
      },
    },
    EngineSchemas: {
      files: {
        [`${schemaName}.json`]: { name: schemaName, properties, ...schema },
        'Note.json': {
          name: 'Note',
          properties: [{ name: 'about', type: 'bigint', reference: { entity: name, field: 'id' } }],
        },
      },
    },
    [name]: { files: { 'data.json': data } },
    ...others,
  })
}

export const people = [{ email: 'a@b.ch' }, { email: 'c@d.ch', boss: 1 }]
export const customers = [
  { id: 1, email: 'a@b.ch', boss: null },
  { id: 2, email: 'c@d.ch', boss: 1 },
]

export async function records(entityName: string) {
  const { body } = await call(deps, SEARCH, {
    method: 'POST',
    path: `/api/entities/${entityName}/search`,
    params: { entityName },
    body: { sort: [{ field: 'id', direction: 'asc' }] },
    as: 'ADMIN',
  })
  return body.data?.map(({ persistenceId: _, ...record }: Record<string, unknown>) => record)
}

export const renamed = { renamedFrom: 'Person' }
