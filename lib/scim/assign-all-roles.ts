import { scimTokens } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { lockAdministrators } from '@/lib/users/store'
import { assignRoles } from './assign-roles'

/** Gives all managed users the roles of their groups, as after a change of `SCIM_ROLES_MAP`. Does nothing while SCIM is off. */
export const assignAllRoles = ({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<void> =>
  db.transaction(async (tx) => {
    const rolesMap = settings.SCIM_ROLES_MAP
    if (rolesMap.length === 0) return
    await lockAdministrators(tx)
    const tokens = await tx.select({ id: scimTokens.id }).from(scimTokens)
    if (tokens.length > 0) await assignRoles(tx, null, { actor: null, rolesMap })
  })
