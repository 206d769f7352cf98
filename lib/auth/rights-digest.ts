import { createHash } from 'node:crypto'
import { type Actor, BUILT_IN_ROLES, isSameRole, type PolicyRule } from './rights'

type Holder = Pick<Actor, 'userId' | 'roles' | 'scopes' | 'policies' | 'profile'>

/**
 * Identifies what a caller may see of records, of `entities` if given: what was made for the caller under another digest may
 * hold what is hidden now.
 */
export function rightsDigest(holder: Holder, entities?: readonly string[]): string {
  const { userId, roles, scopes, policies = [], profile = {} } = holder
  const [admin, ...others] = BUILT_IN_ROLES
  const has = (name: string) => roles.some((role) => isSameRole(role, name))
  const names = entities?.map((name) => name.toLowerCase())
  const isMeant = ({ entities }: PolicyRule) =>
    !names || entities.some((name) => name === '*' || names.includes(name))
  // No policy limits an administrator.
  const facts = has(admin)
    ? [admin, scopes]
    : [userId, others.filter(has), scopes, profile, policies.filter(isMeant).map(policyText).sort()]
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url')
}

const policyText = (policy: PolicyRule): string => JSON.stringify(policy)
