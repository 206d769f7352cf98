import { GUEST_ROLE, isSameRole } from '@/lib/auth/rights'
import type { OidcProvider } from '@/lib/env'

const MAX_ROLES = 32
const MAX_VALUES = 10_000

/** What is at `path` in the claims: a claim of this name, or, with dots, within one (`realm_access.roles`). */
export function claimAt(claims: Record<string, unknown>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((value, name) => {
    const isWithin = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    return isWithin ? (value as Record<string, unknown>)[name] : undefined
  }, claims)
}

/** The roles that the values of a claim give by the table of the provider, each once, in the order of the table. */
export function mapRoles(
  { rolesClaim, rolesMap }: Pick<OidcProvider, 'rolesClaim' | 'rolesMap'>,
  claims: Record<string, unknown>,
): string[] {
  const values = textsIn(claimAt(claims, rolesClaim))
  const mapped = rolesMap
    .filter(({ value, isPrefix }) =>
      values.some((one) => (isPrefix ? one.startsWith(value) : one === value)),
    )
    .flatMap(({ roles }) => roles)
    .filter((role) => !isSameRole(role, GUEST_ROLE))
  return mapped
    .filter((role, index) => mapped.findIndex((same) => isSameRole(same, role)) === index)
    .slice(0, MAX_ROLES)
}

/** A text, or a list of them. */
export const textsIn = (value: unknown): string[] =>
  [value]
    .flat()
    .slice(0, MAX_VALUES)
    .filter((one): one is string => typeof one === 'string')
