import {
  type DefinitionName,
  entities,
  entityTypes,
  policies,
  roles,
  schemas,
  webhooks,
} from '@/lib/db/schema'

export type DefinitionKind = DefinitionName['kind']

/** Where definitions of each kind are kept. */
export const DEFINITION_TABLES = {
  type: entityTypes,
  schema: schemas,
  entity: entities,
  role: roles,
  policy: policies,
  webhook: webhooks,
} as const

export const DEFINITION_KINDS = ['type', 'schema', 'entity', 'role', 'policy', 'webhook'] as const
