import { or } from 'drizzle-orm'
import { requireRightsIn } from '@/lib/auth/grant'
import type { Actor } from '@/lib/auth/rights'
import { type PolicyRow, policies } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { PolicyDefinition } from '@/lib/definitions/policy'
import { hasRole } from './roles-of-holders'

type Stored = Pick<PolicyRow, 'definition' | 'invalid'>

/**
 * Throws `forbidden` unless `actor` may do what a change of a policy grants. To take a denial away is to grant what it
 * denied, and an invalid policy denies all that it names.
 */
export function requireGrant(
  actor: Actor,
  before: Stored | undefined,
  after: PolicyDefinition | null,
): void {
  requireRightsIn(actor, [
    ...(before && denies(before) ? [before.definition] : []),
    ...(after?.allow ? [after] : []),
  ])
}

const denies = ({ definition, invalid }: Stored) => !definition.allow || invalid !== null

/** Throws `forbidden` unless `actor` may do what policies, those of plugins too, deny to whoever loses one of `roles`. */
export async function requireTakeable(
  tx: Db,
  actor: Actor,
  roles: readonly string[],
): Promise<void> {
  if (roles.length === 0) return
  const named = or(...roles.map((role) => hasRole(policies.principals, role)))
  for (const policy of await tx.select().from(policies).where(named))
    if (denies(policy)) requireGrant(actor, policy, null)
}
