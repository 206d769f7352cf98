import { and, arrayOverlaps, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type PolicyRow, policies } from '@/lib/db/schema'
import { type Db, foldedRole, lower } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import type { PoliciesQuery, Policy } from './policy-contract'

/** A page of the policies, by name. */
export async function listPolicies(
  db: Db,
  { page, size, ...filters }: PoliciesQuery,
): Promise<{ policies: Policy[]; total: number }> {
  const where = matching(filters)
  const found = await db
    .select()
    .from(policies)
    .where(where)
    .orderBy(asc(lower(policies.name)))
    .limit(size)
    .offset(page * size)
  return { policies: found.map(toPolicy), total: await db.$count(policies, where) }
}

type Filters = Pick<PoliciesQuery, 'entity' | 'role' | 'plugin'>

function matching({ entity, role, plugin }: Filters): SQL | undefined {
  const principals = sql`(select array_agg(${foldedRole(sql`principal`)}) from unnest(${policies.principals}) principal)`
  return and(
    entity === undefined
      ? undefined
      : arrayOverlaps(policies.entities, [entity.toLowerCase(), '*']),
    role === undefined ? undefined : sql`${principals} && array['*', ${foldedRole(role)}]`,
    plugin === undefined ? undefined : ofPlugin(plugin),
  )
}

const ofPlugin = (id: string) =>
  id === '-' ? isNull(policies.pluginId) : eq(policies.pluginId, id)

/** Throws `not_found`. */
export async function findPolicy(
  db: Db,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<PolicyRow> {
  const query = db.select().from(policies).where(eq(policies.id, id))
  const [found] = await (lock ? query.for('update') : query)
  if (found) return found
  throw new AppError('not_found', 'There is no policy with this id')
}

export function toPolicy(row: PolicyRow): Policy {
  const { id, definition, pluginId, invalid, createdAt, updatedAt } = row
  return {
    ...definition,
    id,
    plugin: pluginId,
    invalid,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
