import { POLICY_KEYS, ROLE_KEYS } from '@/lib/auth/policies/definition'
import type { FileDetail } from '@/lib/db/schema'
import {
  entityWarnings,
  schemaWarnings,
  typeWarnings,
} from '@/lib/entities/definitions/definition-warnings'
import { unknownKeys } from '@/lib/entities/definitions/unknown-keys'
import type { JsonObject } from '@/lib/json'
import type { Definitions } from './install-plan'

/** What the definitions of one file say in vain, each with the index of its definition. */
export const warningsOf = (kind: Definitions['kind'], items: readonly JsonObject[]): FileDetail[] =>
  items.flatMap((item, index) => WARNINGS[kind](item).map((warning) => ({ index, ...warning })))

// Roles and policies keep keys that are not known.
const WARNINGS: Record<Definitions['kind'], (item: JsonObject) => FileDetail[]> = {
  type: typeWarnings,
  schema: schemaWarnings,
  entity: entityWarnings,
  role: (item) => unknownKeys(item, '', ROLE_KEYS, { onlyNear: true }),
  policy: (item) => unknownKeys(item, '', POLICY_KEYS, { onlyNear: true }),
}
