import type { JsonObject } from '@/lib/values/json'
import type { Condition, Policy, TaintActor } from './actor'
import { pathsOf } from './conditions'
import { ACTIONS } from './model'
import { LONG_AGO } from './own-values'
import type { Random } from './random'
import { randomConditions } from './random-conditions'
import { PEOPLE, type Rows, WORLD, type WorldEntity } from './world'

const ROLES = ['Clerk', 'Buyer', 'Auditor']
const PRINCIPALS = [...ROLES, ...ROLES, 'VIEWER', 'EDITOR', 'ANONYMOUS', '*']
const PERCENT_DENYING = 30

/** What people usually write: rows by the caller, or through references. */
const USUAL: Record<string, Condition[]> = {
  Region: [{ field: 'regionCode', operator: 'eq', value: '$me.profile.region' }],
  Branch: [
    { field: 'branchChief', operator: 'eq', value: '$me' },
    { field: 'branchRegion', operator: 'eq', value: '$me.profile.region' },
    { field: 'branchId', operator: 'eq', value: '$me.profile.branch' },
  ],
  Customer: [{ field: 'customerDebt', operator: 'isnull' }],
  Order: [
    { field: 'orderClerk', operator: 'eq', value: '$me' },
    { field: 'orderBranch', operator: 'eq', value: '$me.profile.branch' },
    { field: 'orderBranch.branchRegion', operator: 'eq', value: '$me.profile.region' },
    { field: 'orderBranch.branchChief', operator: 'eq', value: '$me' },
    { field: 'orderState', operator: 'in', value: ['open', 'paid'] },
    { field: 'orderState', operator: 'ne', value: 'sent' },
    { field: 'orderPlaced', operator: 'lt', value: LONG_AGO },
  ],
  Stock: [
    { field: 'stockBranch', operator: 'eq', value: '$me.profile.branch' },
    { field: 'stockOrder', operator: 'lte', value: 1 },
  ],
}

export const randomPolicies = (random: Random, rows: Rows): Policy[] =>
  Array.from({ length: 3 + random.below(6) }, (_, n) => randomPolicy(random, rows, n))

function randomPolicy(random: Random, rows: Rows, n: number): Policy {
  const allow = !random.chance(PERCENT_DENYING)
  const entity = random.pick(WORLD)
  const isWide = random.chance(20)
  const where = random.chance(60) ? rowsOf(random, entity, rows) : undefined
  const fields = random.chance(55) ? someFields(random, entity) : undefined
  // A policy that denies without limits leaves nothing to see.
  const isLimited = Boolean(where?.length || fields)
  const isPlain = isWide && allow
  return {
    ...{ name: `taint-${n}`, allow, entities: [isPlain ? '*' : entity.name] },
    principals: random.some(PRINCIPALS, 2, 1),
    actions: allow || isLimited ? actionsOf(random) : [random.pick(ACTIONS)],
    ...(where && !isPlain ? { where } : {}),
    ...(fields && !isPlain ? { fields } : {}),
    ...(allow && !isPlain && random.chance(20) ? { set: valuesOf(random, entity) } : {}),
    ...(allow && !isPlain && random.chance(20) ? { check: rowsOf(random, entity, rows) } : {}),
  }
}

const actionsOf = (random: Random): string[] =>
  random.chance(40) ? ['*'] : [...new Set(['read', ...random.some(ACTIONS, 2)])]

function rowsOf(random: Random, entity: WorldEntity, rows: Rows): Condition[] {
  const usual = USUAL[entity.name] ?? []
  if (random.chance(55)) return random.some(usual, 2, 1)
  const paths = pathsOf(entity)
  const own = randomConditions(random, entity, { paths, rows })
  return random.chance(30) ? [...own, random.pick(usual)] : own
}

function someFields(random: Random, { fields }: WorldEntity): Policy['fields'] {
  const names = fields.map(({ name }) => name)
  const chosen = random.some(names, Math.ceil(names.length / 2), 1)
  return random.chance(50) ? chosen : { except: chosen }
}

const SETTABLE: Record<string, JsonObject> = {
  Order: { orderClerk: '$me', orderState: 'open' },
  Branch: { branchChief: '$me' },
  Stock: { stockOrder: 1 },
}

function valuesOf(random: Random, entity: WorldEntity): JsonObject {
  const own = Object.entries(SETTABLE[entity.name] ?? {})
  return Object.fromEntries(random.some(own, 1, Math.min(1, own.length)))
}

const KINDS = ['key', 'key', 'role key', 'session', 'guest'] as const

/** A caller with random roles and a random profile, without a credential yet. */
export function randomActor(random: Random, rows: Rows, n: number): TaintActor {
  const key = (entity: string) => rows[entity]?.[random.below(rows[entity]?.length ?? 1)] ?? {}
  const kind = random.pick(KINDS)
  const isPerson = kind === 'key' || kind === 'session'
  const own = random.chance(12) ? ['ADMIN'] : random.some([...ROLES, 'VIEWER', 'EDITOR'], 2, 1)
  return {
    ...{
      name: `actor-${n}`,
      userId: isPerson ? (PEOPLE[n % PEOPLE.length] ?? null) : null,
      headers: {},
    },
    kind,
    roles: kind === 'guest' ? ['ANONYMOUS'] : own,
    scopes: kind.endsWith('key') && random.chance(30) ? randomScopes(random) : null,
    profile: !isPerson
      ? {}
      : {
          ...(random.chance(70) ? { branch: key('Branch').branchId ?? null } : {}),
          ...(random.chance(70) ? { region: key('Region').regionCode ?? null } : {}),
          ...(random.chance(10) ? { region: {} } : {}),
        },
  }
}

function randomScopes(random: Random): string[] {
  const names = ['*', ...WORLD.map(({ name }) => name)]
  const scope = () => `${random.pick(names)}:${random.pick(['*', 'read', ...ACTIONS])}`
  const others = [
    ...['plugins:read', 'system:read', 'EngineAuditLog:read', 'plugins:install'],
    ...['security:manage', 'users:manage', 'keys:manage'],
  ]
  return [...new Set([...Array.from({ length: 3 }, scope), ...random.some(others, 2)])]
}
