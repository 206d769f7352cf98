import { sql } from 'drizzle-orm'
import { can, canForSome, PERMISSIONS, RECORD_ACTIONS, RESERVED_ROLES } from '@/lib/auth/rights'
import { type NamedRule, selectNamedRulesOfEach } from '@/lib/auth/rules-for'
import { apiKeys, policies, roles, users } from '@/lib/db/schema'
import { type Db, foldedRole, one, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { listEntities } from '@/lib/registry/registry'
import type { PolicySource, Role, RolesQuery } from './contract'

/** A role and the policies that apply to it. */
export type RoleWithRules = { role: Role; rules: NamedRule[] }

/** The role that something names, by the name that stands for it; null: nothing does. */
export const findRole = async (db: Db, name: string): Promise<Known | null> =>
  (await knownRoles(db)).find((each) => isSame(each.name, name)) ?? null

/** The names of all roles that something names. */
export const roleNames = async (db: Db): Promise<string[]> =>
  (await knownRoles(db)).map(({ name }) => name)

type Known = Pick<Role, 'name' | 'label' | 'description' | 'pluginId' | 'users' | 'keys'>

/**
 * The roles there are, the built-in ones first, then by name: those that plugins describe, that policies
 * name, or that users or keys have. `total`: of all whose name contains `role`.
 */
export async function listRoles(
  db: Db,
  { role, page, size }: RolesQuery,
): Promise<{ roles: RoleWithRules[]; total: number }> {
  const term = role.trim().toLowerCase()
  const all = (await knownRoles(db)).filter(({ name }) => name.toLowerCase().includes(term))
  const shown = all.slice(page * size, (page + 1) * size)
  return { roles: await withRules(db, shown), total: all.length }
}

/** One role; any name may be given to a user, so there is no role that is not found. */
export async function readRole(db: Db, name: string): Promise<Role> {
  const known = (await knownRoles(db)).find((each) => isSame(each.name, name))
  const none = { name, label: null, description: null, pluginId: null, users: 0, keys: 0 }
  return one(await withRules(db, [known ?? none])).role
}

/** These roles of a user, in their order. */
export async function rolesNamed(db: Db, names: readonly string[]): Promise<Role[]> {
  const all = await knownRoles(db)
  const known = names.flatMap((name) => all.find((each) => isSame(each.name, name)) ?? [])
  return (await withRules(db, known)).map(({ role }) => role)
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

async function withRules(db: Db, known: readonly Known[]): Promise<RoleWithRules[]> {
  const names = known.map(({ name }) => name)
  const rules = await selectNamedRulesOfEach(db, names)
  return known.map((each, at) => ({ role: toRole(each, rules[at] ?? []), rules: rules[at] ?? [] }))
}

function toRole(known: Known, rules: readonly NamedRule[]): Role {
  const holder = { roles: [known.name], scopes: null, policies: rules }
  const permissions = PERMISSIONS.filter((permission) => can(holder, permission))
  return {
    ...known,
    builtIn: isBuiltIn(known.name),
    permissions,
    grants: permissions.length > 0 || RECORD_ACTIONS.some((action) => canForSome(holder, action)),
    policies: rules.map(({ name }) => name),
  }
}

/** Of names that differ in case the one that a plugin describes, else that a policy names, stands. */
async function knownRoles(db: Db): Promise<Known[]> {
  const found = await rows<Known>(
    db,
    sql`
      with held as (
        select role, true as by_user from ${users}, unnest(${users.roles}) role
        union all
        select role, false from ${apiKeys}, unnest(${apiKeys.roles}) role where ${apiKeys.revokedAt} is null
      ), named as (
        select ${roles.name} as name, 0 as rank from ${roles}
        union all
        select principal, 1 from ${policies}, jsonb_array_elements_text(${policies.definition} -> 'principals') principal
          where principal <> '*'
        union all
        select role, 2 from held
      ), counted as (
        select ${foldedRole(sql`role`)} as id, count(*) filter (where by_user)::int as users,
          count(*) filter (where not by_user)::int as keys from held group by 1
      ), distinct_names as (
        select distinct on (${foldedRole(sql`name`)}) name from named order by ${foldedRole(sql`name`)}, rank, name
      )
      select found.name, described.definition ->> 'label' as label,
        described.definition ->> 'description' as description,
        described.plugin_id as "pluginId", coalesce(counted.users, 0) as users,
        coalesce(counted.keys, 0) as keys
      from distinct_names found
      left join ${roles} described on ${foldedRole(sql`described.name`)} = ${foldedRole(sql`found.name`)}
      left join counted on counted.id = ${foldedRole(sql`found.name`)}
      order by ${foldedRole(sql`found.name`)}`,
  )
  const builtIn = RESERVED_ROLES.map((name) => ({
    ...(found.find((each) => isSame(each.name, name)) ?? NOBODYS),
    name,
  }))
  return [...builtIn, ...found.filter(({ name }) => !isBuiltIn(name))]
}

const NOBODYS = { label: null, description: null, pluginId: null, users: 0, keys: 0 }

const isBuiltIn = (name: string) => RESERVED_ROLES.some((role) => isSame(role, name))

/** Policies name entities in lower case; those that are installed are shown by their names. */
export async function policySources(
  deps: Pick<Deps, 'db' | 'bus' | 'log'>,
  rules: readonly NamedRule[],
): Promise<PolicySource[]> {
  const names = new Map((await listEntities(deps)).map(({ name }) => [name.toLowerCase(), name]))
  const byName = new Map(rules.map((rule) => [rule.name, rule]))
  return [...byName.values()].map(({ name, pluginId, allow, entities, actions }) => ({
    ...{ name, pluginId, allow },
    entities: entities.map((entity) => names.get(entity) ?? entity),
    actions: [...actions],
  }))
}
