import { entityWarnings, schemaWarnings, typeWarnings } from '@/lib/definitions/definition-warnings'
import type { FileDetail } from '@/lib/definitions/file-detail'
import { POLICY_KEYS, ROLE_KEYS } from '@/lib/definitions/policy'
import { outerSpaces, unknownKeys } from '@/lib/definitions/unknown-keys'
import type { Definitions } from '@/lib/plugins/plugin-file'
import type { JsonObject } from '@/lib/values/json'

/** Warnings about parts without effect in the definitions of one file, each with its definition's index. */
export const warningsOf = (kind: Definitions['kind'], items: readonly JsonObject[]): FileDetail[] =>
  items.flatMap((item, index) => WARNINGS[kind](item).map((warning) => ({ index, ...warning })))

const WARNINGS: Record<Definitions['kind'], (item: JsonObject) => FileDetail[]> = {
  type: typeWarnings,
  schema: schemaWarnings,
  entity: entityWarnings,
  role: (item) => principalWarnings(item, ROLE_KEYS),
  policy: (item) => principalWarnings(item, POLICY_KEYS),
}

/** Roles and policies may have unknown keys. */
function principalWarnings(item: JsonObject, keys: readonly string[]): FileDetail[] {
  return [...outerSpaces(item, ['name']), ...unknownKeys(item, '', keys, { onlyNear: true })]
}
