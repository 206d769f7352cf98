export const BUILT_IN_ROLES = ['ADMIN', 'EDITOR', 'VIEWER']

/** A row of `EnginePolicies`. */
export type PolicyRow = { principals: string[]; allow: boolean }

/** Everyone who has a role. */
const ANYBODY = '*'

/** Roles that policies name, besides the built-in ones. */
export function namedRoles(policies: readonly PolicyRow[]): string[] {
  const names = policies.flatMap(({ principals }) => principals)
  const others = names.filter((name) => name !== ANYBODY && !isBuiltIn(name))
  return [...new Map(others.map((name) => [name.toLowerCase(), name])).values()].sort()
}

/** Those of `roles` to which neither the console's own table of rights nor a policy allows anything. */
export function rolesWithoutRights(
  roles: readonly string[],
  policies: readonly PolicyRow[],
): string[] {
  const allowed = policies.filter(({ allow }) => allow).flatMap(({ principals }) => principals)
  const granting = new Set(allowed.map((name) => name.toLowerCase()))
  if (granting.has(ANYBODY)) return []
  return roles.filter((role) => !isBuiltIn(role) && !granting.has(role.toLowerCase()))
}

const isBuiltIn = (role: string) => BUILT_IN_ROLES.includes(role.toUpperCase())
