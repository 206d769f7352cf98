import { AppError, type Validation } from '@/lib/errors'
import { nameFault } from '@/lib/values/name-fault'
import { BUILT_IN_ROLES, isSameRole } from './rights'

/** Why people could take the name of a role for another one, or null. */
export function roleNameFault(name: string): string | null {
  const twin = BUILT_IN_ROLES.find((role) => !isSameRole(role, name) && shape(role) === shape(name))
  return nameFault(name) ?? (twin ? `Looks like ${twin}, which is another role` : null)
}

/** With one form for letters and digits that look the same in many fonts. */
const shape = (name: string): string =>
  name
    .toLowerCase()
    .replace(/i\u0307|[ıl1|]/g, 'i')
    .replaceAll('0', 'o')

/** Throws `invalid_input` for names in `roles` that people could take for others; those in `held` are no new ones. */
export function requireClearRoles(roles: readonly string[], held: readonly string[]): void {
  const validations = roles.flatMap((name, at): Validation[] => {
    const error = held.includes(name) ? null : roleNameFault(name)
    return error === null ? [] : [{ field: `roles.${at}`, error }]
  })
  const [first] = validations
  if (first) throw new AppError('invalid_input', `${first.field}: ${first.error}`, { validations })
}
