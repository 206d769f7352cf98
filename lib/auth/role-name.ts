import { nameFault } from '@/lib/values/name-fault'
import { isSameRole, RESERVED_ROLES } from './rights'

/** Why people could take the name of a role for another one, or null. */
export function roleNameFault(name: string): string | null {
  const twin = RESERVED_ROLES.find((role) => !isSameRole(role, name) && shape(role) === shape(name))
  return nameFault(name) ?? (twin ? `Looks like ${twin}, which is another role` : null)
}

/** With one form for letters and digits that look the same in many fonts. */
const shape = (name: string): string =>
  name
    .toLowerCase()
    .replace(/i\u0307|[ıl1|]/g, 'i')
    .replaceAll('0', 'o')
