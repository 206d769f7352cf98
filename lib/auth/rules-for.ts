import { and, arrayContains, asc, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'
import { policies, users } from '@/lib/db/schema'
import { type Db, foldedRole, one, textArray } from '@/lib/db/sql'
import { type JsonObject, parseJson } from '@/lib/values/json'
import { GUEST_ROLE, type PolicyRule } from './rights'

/** Lists of rules in use; the least recently read are forgotten first. */
const MAX_LISTS = 1_000
const lists = new Map<string, PolicyRule[]>()

/** The same list for the same rules: what is made of them is kept for the list (`lib/search/rule.ts`). */
function toRules(json: string): PolicyRule[] {
  const list = lists.get(json) ?? (parseJson(json, { exactly: true }) as unknown as PolicyRule[])
  lists.delete(json)
  lists.set(json, list)
  if (lists.size > MAX_LISTS) lists.delete(lists.keys().next().value ?? '')
  return list
}

const { principals, entities, actions, allow, invalid, definition } = policies

/** What a policy limits; without conditions it concerns all rows. */
const limits = sql`(select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(${definition})
  where key in ('where', 'fields', 'set', 'check') and not (key = 'where' and value = '[]'))`

/** A `PolicyRule` as JSON; an invalid policy denies all that it names. Later ones replace values that earlier ones set. */
const rule = sql`jsonb_build_object('name', ${policies.name}, 'entities', ${entities}, 'actions', ${actions}, 'allow', ${allow} and ${invalid} is null)
  || case when ${invalid} is null then ${limits} else '{}' end`
const rules =
  sql`coalesce(jsonb_agg(${rule} order by ${policies.priority}, ${policies.name}), '[]')::text`.mapWith(
    toRules,
  )

const folded = (names: SQLWrapper) =>
  sql`(select array_agg(${foldedRole(sql`name`)}) from unnest(${names}) name)`

/** What a policy allows to `*` it does not allow to guests; what it denies, it denies to them too. */
const isForGuests = (roles: SQLWrapper) =>
  sql`(not ${allow} or ${invalid} is not null or ${folded(roles)} <> array[${foldedRole(GUEST_ROLE)}])`

/** Whether a policy applies to any of `roles`, an SQL text array. */
const concernsAny = (roles: SQLWrapper) =>
  or(
    and(arrayContains(principals, ['*']), isForGuests(roles)),
    sql`${folded(principals)} && ${folded(roles)}`,
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

/** The user's profile where one of the policies that apply to `roles` names a part of it, else null; of another query. */
export const profileFor = (roles: SQLWrapper): SQL<JsonObject | null> =>
  sql<JsonObject | null>`case when exists ${new QueryBuilder()
    .select({ one: sql`1` })
    .from(policies)
    .where(
      and(concernsAny(roles), sql`${definition}::text like '%"$me.profile.%'`),
    )} then ${users.profile}::text end`.mapWith(
    // Drivers round numbers in JSON.
    (text: string) => parseJson(text, { exactly: true }) as JsonObject,
  )

/** The parts of a profile that `rules` name: a profile may be large, and is kept with the credential. */
export function namedParts(rules: readonly PolicyRule[], profile: JsonObject | null): JsonObject {
  if (!profile) return {}
  const known = keysIn.get(rules) ?? profileKeys(rules)
  keysIn.set(rules, known)
  return Object.fromEntries(Object.entries(profile).filter(([key]) => known.has(key)))
}

// By lists of rules, which are one object for the same rules.
const keysIn = new WeakMap<readonly PolicyRule[], ReadonlySet<string>>()

function profileKeys(rules: readonly PolicyRule[]): Set<string> {
  const named = JSON.stringify(rules).matchAll(/"\$me\.profile\.((?:[^"\\]|\\.)*)"/g)
  return new Set([...named].map(([, key]) => JSON.parse(`"${key}"`) as string))
}

/** A policy as it decides, with what it is called and where it comes from. */
export type NamedRule = PolicyRule & {
  name: string
  pluginId: string | null
  /** Why it denies all that it names: what it says no longer fits its entities. */
  invalid: string | null
}

/** The policies that apply to `roles`, by name: for showing what decides. */
export async function selectNamedRules(db: Db, roles: readonly string[]): Promise<NamedRule[]> {
  const found = await db
    .select(NAMED)
    .from(policies)
    .where(concernsAny(textArray(roles)))
    .orderBy(asc(policies.name))
  return found.map(toNamedRule)
}

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
  return roles.map((_, at) => found.filter(({ place }) => place === at + 1).map(toNamedRule))
}

const NAMED = {
  name: policies.name,
  pluginId: policies.pluginId,
  invalid: policies.invalid,
  rule: sql`(${rule})::text`.mapWith((json: string) => JSON.parse(json) as PolicyRule),
}

type Selected = Pick<NamedRule, 'name' | 'pluginId' | 'invalid'> & { rule: PolicyRule }
const toNamedRule = ({ name, pluginId, invalid, rule }: Selected): NamedRule => ({
  ...rule,
  name,
  pluginId,
  invalid,
})
