import { arrayContains, arrayOverlaps, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import { one } from '@/lib/db/rows'
import { policies } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import type { PolicyRule } from './rights'

const toRules = (json: string) => JSON.parse(json) as PolicyRule[]

const { principals, entities, actions, allow } = policies
const rules =
  sql`coalesce(jsonb_agg(jsonb_build_object('entities', ${entities}, 'actions', ${actions}, 'allow', ${allow})), '[]')::text`.mapWith(
    toRules,
  )

/** Whether a policy applies to any of `roles`, an SQL text array. */
const concernsAny = (roles: SQLWrapper) =>
  or(
    arrayContains(principals, ['*']),
    arrayOverlaps(principals, sql`(select array_agg(lower(role)) from unnest(${roles}) role)`),
  )

/** The policies that apply to any of `roles`, an SQL text array. */
export async function selectRules(db: Db, roles: SQLWrapper): Promise<PolicyRule[]> {
  return one(await db.select({ rules }).from(policies).where(concernsAny(roles))).rules
}

/** The same as a subquery of another query. */
export const rulesFor = (roles: SQLWrapper): SQL<PolicyRule[]> =>
  sql`${new QueryBuilder().select({ rules }).from(policies).where(concernsAny(roles))}`.mapWith(
    toRules,
  )
