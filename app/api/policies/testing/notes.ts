import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { GET as COUNT } from '../../entities/[entityName]/count/route'
import type { Files } from '../../plugins/testing/plugin-api'
import { deps } from './policies-api'

type Options = { policy?: object; additionalProperties?: boolean }

/** Notes of a branch, whose field has a name, and a policy of the plugin itself. */
export const notes = (
  field: object,
  { policy, additionalProperties = false }: Options = {},
): Files =>
  pluginFiles({
    EngineEntities: {
      files: { 'Note.json': { name: 'Note', pks: [{ key: 'id', strategy: 'Fixed' }] } },
    },
    EngineSchemas: {
      files: {
        'Note.json': {
          name: 'Note',
          additionalProperties,
          properties: [{ name: 'text', type: 'string' }, field],
        },
      },
    },
    ...(policy ? { EnginePolicies: { files: { 'policies.json': [policy] } } } : {}),
  })

export const BRANCH = { name: 'branch', type: 'string' }
export const PLACE = { name: 'place', type: 'string', meta: { renamedFrom: 'branch' } }
export const CLERKS = {
  name: 'Clerks read notes of their branch',
  principals: ['Clerk'],
  entities: ['Note'],
  actions: ['read'],
  where: [{ field: 'branch', operator: 'eq', value: 'Rome' }],
}

export const mayRead = async (headers: Record<string, string>) => {
  const params = { entityName: 'Note' }
  const { status } = await call(deps, COUNT, { path: '/api/entities/Note/count', params, headers })
  return status === 200
}

export const changesOf = (files: { path: string; changes: string[] }[]) =>
  files.flatMap(({ changes }) => changes).filter((text) => text.includes('policy'))

export const INVALID =
  'where.0.field: Note has no field "branch" any more; it is called "place" now'
export const DENIES = `The policy "${CLERKS.name}" no longer fits, and denies all that it names until it is mended: ${INVALID}`
