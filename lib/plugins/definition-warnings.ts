import { POLICY_KEYS, ROLE_KEYS } from '@/lib/auth/policies/definition'
import type { FileDetail } from '@/lib/db/schema'
import {
  entityWarnings,
  schemaWarnings,
  typeWarnings,
} from '@/lib/entities/definitions/definition-warnings'
import { outerSpaces, unknownKeys } from '@/lib/entities/definitions/unknown-keys'
import type { JsonObject } from '@/lib/json'
import type { Definitions } from './install-plan'

/** What the definitions of one file say in vain, each with the index of its definition. */
export const warningsOf = (kind: Definitions['kind'], items: readonly JsonObject[]): FileDetail[] =>
  items.flatMap((item, index) => WARNINGS[kind](item).map((warning) => ({ index, ...warning })))

const WARNINGS: Record<Definitions['kind'], (item: JsonObject) => FileDetail[]> = {
  type: typeWarnings,
  schema: schemaWarnings,
  entity: entityWarnings,
  role: (item) => principalWarnings(item, ROLE_KEYS),
  policy: (item) => principalWarnings(item, POLICY_KEYS),
}

/** Roles and policies keep keys that are not known. */
function principalWarnings(item: JsonObject, keys: readonly string[]): FileDetail[] {
  return [...outerSpaces(item, ['name']), ...unknownKeys(item, '', keys, { onlyNear: true })]
}
