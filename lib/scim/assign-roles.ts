import { sql } from 'drizzle-orm'
import { auditJson, insertAudit } from '@/lib/audit/record-audit'
import { type Actor, isSameRole } from '@/lib/auth/rights'
import { scimGroups, scimMembers, scimUsers, users } from '@/lib/db/schema'
import { type Db, rows } from '@/lib/db/sql'
import type { Env } from '@/lib/env'
import { isAdministrator, requireAdministratorLeft } from './store-user'

type RolesMap = Env['SCIM_ROLES_MAP']
/** `actor` null: the server itself. */
export type Caller = { actor: Actor | null; requestId?: string; rolesMap: RolesMap }

type ManagedUser = { id: string; roles: string[]; status: string; groups: string[] }

/**
 * Gives managed users the roles of their groups: all of them, or those in `userIds`. Of the roles that the map names they
 * have exactly these; others stay as they are. The caller holds the lock of administrators. Throws `mutability` when no administrator would be left.
 */
export async function assignRoles(
  tx: Db,
  userIds: readonly string[] | null,
  { actor, requestId, rolesMap }: Caller,
): Promise<void> {
  if (rolesMap.length === 0 || userIds?.length === 0) return
  const changed = (await findMembers(tx, userIds)).flatMap((user) => {
    const roles = rolesAfter(user, rolesMap)
    return isSameSet(roles, user.roles) ? [] : [{ ...user, after: roles }]
  })
  if (changed.length === 0) return
  await writeRoles(tx, changed)
  const lost = changed.filter(
    ({ roles, after, status }) =>
      status === 'ACTIVATED' && isAdministrator({ roles }) && !isAdministrator({ roles: after }),
  )
  if (lost.length > 0) await requireAdministratorLeft(tx)
  const details = changed.map(({ id, roles, after }) => ({
    id,
    details: { changed: ['roles'], before: { roles }, after: { roles: after } },
  }))
  const entry = auditJson(actor ?? { type: 'system' }, {
    action: 'users.update',
    objectType: 'user',
    requestId,
  })
  const from = sql`jsonb_to_recordset(${JSON.stringify(details)}::text::jsonb) as changed(id uuid, details jsonb)`
  const objectId = sql`changed.id::text`
  await tx.execute(insertAudit(sql`${entry}`, from, { objectId, details: sql`changed.details` }))
}

const findMembers = (tx: Db, userIds: readonly string[] | null) =>
  rows<ManagedUser>(
    tx,
    sql`select ${users.id}, ${users.roles}, ${users.status}, array(
        select ${scimGroups.displayName} from ${scimMembers}
        join ${scimGroups} on ${scimGroups.id} = ${scimMembers.groupId}
        where ${scimMembers.userId} = ${users.id} order by 1) as groups
      from ${users} join ${scimUsers} on ${scimUsers.userId} = ${users.id}
      ${userIds ? sql`where ${users.id} in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(userIds)}::text::jsonb))` : sql``}
      order by ${users.id}`,
  )

function rolesAfter({ roles, groups }: ManagedUser, rolesMap: RolesMap): string[] {
  const isMapped = (role: string) =>
    rolesMap.some((entry) => entry.roles.some((one) => isSameRole(one, role)))
  const ofGroups = rolesMap.filter((entry) => groups.some((group) => gives(entry, group)))
  const all = [
    ...roles.filter((role) => !isMapped(role)),
    ...ofGroups.flatMap((entry) => entry.roles),
  ]
  return all.filter((role, at) => all.findIndex((one) => isSameRole(one, role)) === at)
}

const gives = ({ value, isPrefix }: RolesMap[number], name: string): boolean =>
  isPrefix
    ? name.toLowerCase().startsWith(value.toLowerCase())
    : name.toLowerCase() === value.toLowerCase()

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length &&
  some.every((role) => others.some((other) => isSameRole(role, other)))

const writeRoles = (tx: Db, changed: readonly { id: string; after: string[] }[]) =>
  tx.execute(sql`
    update ${users} set roles = array(select jsonb_array_elements_text(changed.roles)), updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(changed.map(({ id, after }) => ({ id, roles: after })))}::text::jsonb)
      as changed(id uuid, roles jsonb)
    where ${users.id} = changed.id`)
