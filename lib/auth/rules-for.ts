import { arrayContains, asc, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import { policies } from '@/lib/db/schema'
import { foldedRole, one, textArray } from '@/lib/db/sql'
import type { Db } from '@/lib/db/types'
import type { PolicyRule } from './rights'

const toRules = (json: string) => JSON.parse(json) as PolicyRule[]

const { principals, entities, actions, allow } = policies
const rules =
  sql`coalesce(jsonb_agg(jsonb_build_object('entities', ${entities}, 'actions', ${actions}, 'allow', ${allow})), '[]')::text`.mapWith(
    toRules,
  )

const folded = (names: SQLWrapper) =>
  sql`(select array_agg(${foldedRole(sql`name`)}) from unnest(${names}) name)`

/** Whether a policy applies to any of `roles`, an SQL text array. */
const concernsAny = (roles: SQLWrapper) =>
  or(arrayContains(principals, ['*']), sql`${folded(principals)} && ${folded(roles)}`)

/** The policies that apply to any of `roles`, an SQL text array. */
export async function selectRules(db: Db, roles: SQLWrapper): Promise<PolicyRule[]> {
  return one(await db.select({ rules }).from(policies).where(concernsAny(roles))).rules
}

/** The same as a subquery of another query. */
export const rulesFor = (roles: SQLWrapper): SQL<PolicyRule[]> =>
  sql`${new QueryBuilder().select({ rules }).from(policies).where(concernsAny(roles))}`.mapWith(
    toRules,
  )

/** A policy as it decides, with what it is called and where it comes from. */
export type NamedRule = PolicyRule & { name: string; pluginId: string | null }

/** The policies that apply to `roles`, by name: for showing what decides. */
export const selectNamedRules = (db: Db, roles: readonly string[]): Promise<NamedRule[]> =>
  db
    .select(NAMED)
    .from(policies)
    .where(concernsAny(textArray(roles)))
    .orderBy(asc(policies.name))

/** The same for each of `roles` by itself. */
export async function selectNamedRulesOfEach(
  db: Db,
  roles: readonly string[],
): Promise<NamedRule[][]> {
  const found = await db
    .select({ ...NAMED, place: sql<number>`asked.place::int` })
    .from(policies)
    .innerJoin(
      sql`unnest(${textArray(roles)}) with ordinality asked(role, place)`,
      concernsAny(sql`array[asked.role]`),
    )
    .orderBy(asc(policies.name))
  return roles.map((_, at) =>
    found.filter(({ place }) => place === at + 1).map(({ place: _, ...rule }) => rule),
  )
}

const NAMED = { name: policies.name, pluginId: policies.pluginId, entities, actions, allow }
