import { isSameRole, RESERVED_ROLES } from '@/lib/auth/rights'
import { check, fault, type Parsed } from '@/lib/definitions/definition-faults'
import { isSystemEntity } from '@/lib/definitions/names'
import {
  type PolicyDefinition,
  policyDefinition,
  type RoleDefinition,
  roleDefinition,
} from '@/lib/definitions/policy'
import { unstorableText } from '@/lib/definitions/unstorable-text'
import { isObject, type Json } from '@/lib/values/json'

/** Reads a role of `EngineRoles`; names of built-in roles are faults, case-insensitive. */
export function parseRole(json: Json): Parsed<RoleDefinition> {
  const unstorable = unstorableText(json)
  if (unstorable.length > 0) return { faults: unstorable }
  const found = check(roleDefinition, json)
  if ('faults' in found) return found
  const { name } = found.data
  const builtIn = RESERVED_ROLES.find((role) => isSameRole(role, name))
  if (!builtIn) return { definition: found.data }
  const message = `The role ${builtIn} is built in, and its rights are fixed; choose another name`
  return { faults: [fault('/name', message, name)] }
}

/** Reads a policy of `EnginePolicies`; `entityList` is an alias of `entities`. */
export function parsePolicy(json: Json): Parsed<PolicyDefinition> {
  const unstorable = unstorableText(json)
  if (unstorable.length > 0) return { faults: unstorable }
  const found = check(policyDefinition, withEntities(json))
  if ('faults' in found) return found
  const faults = found.data.entities.flatMap((entity, index) =>
    isSystemEntity(entity)
      ? [fault(`/entities/${index}`, 'System entities are only for administrators', entity)]
      : [],
  )
  return faults.length > 0 ? { faults } : { definition: found.data }
}

function withEntities(json: Json): Json {
  if (!isObject(json) || 'entities' in json || !('entityList' in json)) return json
  const { entityList = null, ...rest } = json
  return { ...rest, entities: entityList }
}
