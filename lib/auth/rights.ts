import { isSystemEntity } from '@/lib/definitions/names'
import { AppError } from '@/lib/errors'
import type { Json, JsonObject } from '@/lib/values/json'

export const RECORD_ACTIONS = ['read', 'write', 'update', 'delete'] as const
/** The actions on records of an entity. */
export type RecordAction = (typeof RECORD_ACTIONS)[number]

export const PERMISSIONS = [
  'plugins:read',
  'plugins:install',
  'users:manage',
  'images:read',
  'images:upload',
  'images:delete',
  'views:publish',
  'keys:manage',
  'mail:manage',
  'security:manage',
  'webhooks:manage',
  'system:read',
] as const
/** The permissions that are not about records. */
export type Permission = (typeof PERMISSIONS)[number]

/** A right: a permission, or an action on the records of an entity (`*`: of every data entity). */
export type Right = Permission | { entity: string; action: RecordAction }

/** Roles with rights of their own. */
export const BUILT_IN_ROLES = ['ADMIN', 'EDITOR', 'VIEWER'] as const
type BuiltInRole = (typeof BUILT_IN_ROLES)[number]

/** What guests have: callers without a credential, where `ANONYMOUS_ACCESS` lets them in. Given to nobody else. */
export const GUEST_ROLE = 'ANONYMOUS'

/** Names that no plugin and no administrator may define (case-insensitive). */
export const RESERVED_ROLES = [...BUILT_IN_ROLES, GUEST_ROLE] as const

/**
 * Whether both are the name of one role. Compared in lower case everywhere, in SQL too: in upper case, other letters
 * become those of a built-in role ("ı" is an "I").
 */
export const isSameRole = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase()

const EDITOR: readonly Permission[] = [
  'images:read',
  'images:upload',
  'images:delete',
  'views:publish',
]
const VIEWER: readonly Permission[] = ['images:read']

/** Names of fields, or all but some. */
export type FieldList = readonly string[] | { except: readonly string[] }

/** A policy that applies to a caller's roles. Names of entities are in lower case; `*` is any. */
export type PolicyRule = {
  name?: string
  entities: readonly string[]
  actions: readonly string[]
  allow: boolean
  /** Conditions of a search: the rows that it concerns. Absent or empty: all. */
  where?: readonly Json[]
  /** The fields that it concerns. Absent: all. */
  fields?: FieldList
  /** Values that a written record gets whatever was sent. */
  set?: JsonObject
  /** Conditions that a written record must meet; absent: those of `where`. */
  check?: readonly Json[]
}

/** A caller of requests: its rights are those of `roles`, limited by a key's `scopes`. */
export type Actor = {
  type: 'user' | 'api_key' | 'anonymous'
  /** Of the user, or of the key; `guest` and the network of a guest, who has no other. */
  id: string
  /** Email, the key's name, or `Guest`. */
  name: string
  /** The user, or the key's owner; null for a guest and for a key with roles of its own, which act for no person. */
  userId: string | null
  roles: readonly string[]
  /** `Entity:action`, or null for everything the roles allow. */
  scopes: readonly string[] | null
  /** Of installed plugins, for these roles. */
  policies?: readonly PolicyRule[]
  /** The parts of the user's profile that those policies name. */
  profile?: JsonObject
  /** Of the caller; null when unknown. */
  address: string | null
  /** Signed in with a password set by another user, which must be changed before anything else. */
  mustChangePassword?: boolean
  /** One of the roles requires a second factor, and the user has none. */
  mustSetUpSecondFactor?: boolean
  /** Of a browser; keys have none. */
  sessionId?: string
}

type Holder = Pick<Actor, 'roles' | 'scopes' | 'policies'>

/** Why a right is there or not: what `decide` went by. */
export type Decision<Rule extends PolicyRule = PolicyRule> = {
  allowed: boolean
  /** The built-in role that allows it; null when none does, or when a policy denies it. */
  role: BuiltInRole | null
  /** The policies that deny it, else those that allow it, which may be for some rows and fields. */
  rules: readonly Rule[]
  /** The policies that take rows or fields from what is allowed. */
  limits: readonly Rule[]
}

/** Role names are case-insensitive; unknown roles grant nothing. */
export function can({ roles, scopes, policies = [] }: Holder, right: Right): boolean {
  return (
    decide(roles, policies, right).allowed && (scopes === null || allowedByScopes(scopes, right))
  )
}

/** Whether `holder` has the right for at least one entity. */
export function canForSome(holder: Holder, action: RecordAction): boolean {
  const entities = ['*', ...(holder.policies ?? []).flatMap(({ entities }) => entities)]
  return entities.some((entity) => can(holder, { entity, action }))
}

/** The only table of rights: what `policies`, those for these roles, and the built-in roles decide. */
export function decide<Rule extends PolicyRule>(
  roles: readonly string[],
  policies: readonly Rule[],
  right: Right,
): Decision<Rule> {
  const role = allowingRole(new Set(roles.map((name) => name.toLowerCase())), right)
  const decidesAlone = role === 'ADMIN' || typeof right === 'string' || isSystemEntity(right.entity)
  const rules = decidesAlone ? [] : policies.filter((rule) => concerns(rule, right))
  const denying = rules.filter((rule) => !rule.allow && isForAll(rule))
  if (denying.length > 0) return { allowed: false, role: null, rules: denying, limits: [] }
  const allowing = rules.filter(({ allow }) => allow)
  const limits = rules.filter(({ allow }) => !allow)
  return { allowed: role !== null || allowing.length > 0, role, rules: allowing, limits }
}

/** Whether the right is the same for every row, of whatever fields. */
export function isForAllRows({ roles, policies = [] }: Holder, right: Right): boolean {
  const { role, rules, limits } = decide(roles, policies, right)
  const concernsAll = ({ where = [] }: PolicyRule) => where.length === 0
  return limits.every(concernsAll) && (role !== null || rules.some(concernsAll))
}

/** Whether a policy concerns every row and every field. */
const isForAll = ({ where = [], fields }: PolicyRule) => where.length === 0 && !fields

/** Whether the decision is the same for every row and field, so that no rule is needed for reading. */
export const isUnlimited = ({ role, rules, limits }: Decision): boolean =>
  limits.length === 0 && (role !== null || rules.some(isForAll))

/** The strongest of the built-in roles among `names`, in lower case, that allows it. */
function allowingRole(names: ReadonlySet<string>, right: Right): BuiltInRole | null {
  if (names.has('admin')) return 'ADMIN'
  const may = (permissions: readonly Permission[], actions: readonly RecordAction[]) =>
    typeof right === 'string'
      ? permissions.includes(right)
      : !isSystemEntity(right.entity) && actions.includes(right.action)
  if (names.has('editor') && may(EDITOR, RECORD_ACTIONS)) return 'EDITOR'
  return names.has('viewer') && may(VIEWER, ['read']) ? 'VIEWER' : null
}

const concerns = (
  { entities, actions }: PolicyRule,
  { entity, action }: Exclude<Right, Permission>,
) =>
  (entities.includes('*') || entities.includes(entity.toLowerCase())) &&
  (actions.includes('*') || actions.includes(action))

// Names of entities are case-insensitive, so scopes are too.
function allowedByScopes(scopes: readonly string[], right: Right): boolean {
  const granted = new Set(scopes.map((scope) => scope.toLowerCase()))
  if (typeof right === 'string') return granted.has(right)
  const { entity, action } = right
  if ([`${entity}:${action}`, `${entity}:*`].some((scope) => granted.has(scope.toLowerCase())))
    return true
  if (isSystemEntity(entity)) return false
  return granted.has(`*:${action}`) || granted.has('*:*')
}

/** Throws `forbidden`, naming what is missing; for a guest `unauthenticated`. */
export function requireRight(actor: Actor, right: Right): void {
  requireReady(actor)
  if (can(actor, right)) return
  const what = typeof right === 'string' ? right : `${right.entity}:${right.action}`
  if (actor.type === 'anonymous')
    throw new AppError(
      'unauthenticated',
      `Sign in, or send an API key: without one, nobody has the right "${what}"`,
    )
  const who = actor.type === 'api_key' ? 'This API key' : 'Your account'
  throw new AppError('forbidden', `${who} lacks the right "${what}"`)
}

/** A person, or a key that acts as one. */
export type AccountActor = Actor & { userId: string }

/**
 * Whether what belongs to a person (the account, private and shared views) is the caller's. A key without scopes acts as
 * its owner; a key that is limited to scopes has no account, nor has one with roles of its own.
 */
export const hasAccount = (actor: Actor): actor is AccountActor =>
  actor.scopes === null && actor.userId !== null

/** Throws `forbidden` for a key that has no account. */
export function requireAccount(actor: Actor): asserts actor is AccountActor {
  if (hasAccount(actor)) return
  const why = actor.userId === null ? 'has roles of its own' : 'is limited to its scopes'
  throw new AppError(
    'forbidden',
    `This API key ${why} and has no account; sign in, or use a key that acts as you`,
  )
}

/**
 * Throws `forbidden` for callers who must change their password or set up a second factor first.
 */
export function requireReady(actor: Actor): void {
  if (actor.mustChangePassword)
    throw new AppError('forbidden', 'Change your password first: it is a temporary one')
  if (actor.mustSetUpSecondFactor)
    throw new AppError('forbidden', 'Set up a second factor first: your role requires one')
}

/** A user in a browser. */
export type SessionActor = AccountActor & { type: 'user'; sessionId: string }

/** Throws `forbidden` for API keys: sessions and second factors are those of a person. */
export function requireSession(actor: Actor): asserts actor is SessionActor {
  if (actor.sessionId === undefined)
    throw new AppError('forbidden', 'An API key cannot do this; sign in to do it')
}

/** Whether the user must do something first, before the rest of the console opens. */
export const isReady = ({ mustChangePassword, mustSetUpSecondFactor }: Actor): boolean =>
  !mustChangePassword && !mustSetUpSecondFactor
