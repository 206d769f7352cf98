import { decide, isUnlimited, PERMISSIONS, RECORD_ACTIONS } from '@/lib/auth/rights'
import { type NamedRule, selectNamedRules } from '@/lib/auth/rules-for'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { listEntities } from '@/lib/registry/registry'
import { findUser } from '@/lib/users/store'
import type {
  Decision,
  Decisions,
  EntityRights,
  RightsMeta,
  RightsOfRoles,
  RightsQuery,
  UserRightsMeta,
  UserRightsQuery,
} from './contract'
import { listRoles, policySources, rolesNamed } from './list-roles'

type Source = Pick<Deps, 'db' | 'bus' | 'log'>
type Holder = { roles: readonly string[]; rules: readonly NamedRule[] }
type Page<Row, Meta> = { rows: Row[]; total: number; meta: Meta }

/**
 * What a user may do with the records of each entity, and why: decided by the functions that decide about
 * requests. Throws `not_found`.
 */
export async function explainUser(
  deps: Source,
  userId: string,
  query: UserRightsQuery,
): Promise<Page<EntityRights, UserRightsMeta>> {
  const user = await findUser(deps.db, userId)
  if (!user) throw new AppError('not_found', 'There is no user with this id')
  const { roles, status } = user
  const rules = await selectNamedRules(deps.db, roles)
  const { entities, total } = await entitiesCalled(deps, query)
  const permissions = PERMISSIONS.map((permission) => ({
    permission,
    role: decide(roles, rules, permission).role,
  }))
  return {
    rows: entities.map((entity) => ({
      ...named(entity),
      ...decisionsOn(entity, { roles, rules }),
    })),
    total,
    meta: {
      status,
      roles: await rolesNamed(deps.db, roles),
      permissions,
      policies: await policySources(deps, rules),
    },
  }
}

/** What each role by itself may do with the records of each entity, and why. */
export async function explainRoles(
  deps: Source,
  { role, rolePage, roleSize, ...query }: RightsQuery,
): Promise<Page<RightsOfRoles, RightsMeta>> {
  const found = await listRoles(deps.db, { role, page: rolePage, size: roleSize })
  const { entities, total } = await entitiesCalled(deps, query)
  const holders = found.roles.map(({ role, rules }) => ({ roles: [role.name], rules }))
  return {
    rows: entities.map((entity) => ({
      ...named(entity),
      roles: holders.map((holder) => decisionsOn(entity, holder)),
    })),
    total,
    meta: {
      roles: found.roles.map(({ role }) => role),
      roleCount: found.total,
      policies: await policySources(
        deps,
        found.roles.flatMap(({ rules }) => rules),
      ),
    },
  }
}

async function entitiesCalled(deps: Source, { entity, page, size }: UserRightsQuery) {
  const term = entity.trim().toLowerCase()
  const all = (await listEntities(deps))
    .filter(({ name }) => name.toLowerCase().includes(term))
    .sort((a, b) => NATURAL.compare(a.name, b.name))
  return { entities: all.slice(page * size, (page + 1) * size), total: all.length }
}

// `Part2` before `Part10`.
const NATURAL = new Intl.Collator('en', { numeric: true })

const named = ({ name, pluginId }: Entity) => ({ entity: name, pluginId })

const decisionsOn = (entity: Entity, holder: Holder): Decisions =>
  Object.fromEntries(
    RECORD_ACTIONS.map((action): [string, Decision] => {
      const decision = decide(holder.roles, holder.rules, { entity: entity.name, action })
      const { role, rules, limits } = decision
      const closed = !entity.definition.permissions[action]
      const allowed = decision.allowed && !closed
      const policies = [...rules, ...limits].map(({ name }) => name)
      return [
        action,
        { allowed, closed, limited: allowed && !isUnlimited(decision), role, policies },
      ]
    }),
  ) as Decisions
