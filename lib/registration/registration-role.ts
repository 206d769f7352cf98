import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { findRole } from '@/lib/policies/list-roles'
import { makesUsers } from './may-register'

const MISSING =
  'REGISTRATION_ROLE names no role that there is, so accounts cannot be made; describe it under Roles, install its plugin, or name another one'

/** The role of users who register. Throws `conflict` while it is none that is built in or that anything names. */
export async function registrationRole({
  db,
  settings,
  log,
}: Pick<Deps, 'db' | 'settings' | 'log'>): Promise<string> {
  const role = settings.REGISTRATION_ROLE
  const known = role === undefined ? null : await findRole(db, role)
  if (known) return known.name
  log.error({ role }, MISSING)
  throw new AppError(
    'conflict',
    'Accounts cannot be made at the moment; try again later, or ask an administrator',
  )
}

/** Says at the start that the role is missing: a plugin may bring it yet. */
export async function warnOfMissingRole({
  db,
  settings,
  log,
}: Pick<Deps, 'db' | 'settings' | 'log'>): Promise<void> {
  const { REGISTRATION_ROLE: role } = settings
  if (role === undefined || !makesUsers(settings)) return
  if (!(await findRole(db, role))) log.warn({ role }, MISSING)
}
