import { type Actor, requireRight } from '@/lib/auth/rights'
import { rightsIn } from '@/lib/plugins/run/installer-rights'
import type { Removal } from './removal'

/**
 * Throws `forbidden` unless the actor may delete the records that go and change the roles and policies that do.
 * To take a denial away is to grant what it denied.
 */
export function requireUninstallRights(
  actor: Actor,
  { entities, roles, policies }: Removal,
  records: 'trash' | 'keep',
): void {
  if (records === 'trash')
    for (const { row } of entities) requireRight(actor, { entity: row.name, action: 'delete' })
  if (roles.length + policies.length > 0) requireRight(actor, 'users:manage')
  for (const { definition, allow } of policies)
    if (!allow) for (const right of rightsIn(definition)) requireRight(actor, right)
}
