import { type Db, textArray } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import {
  type Actor,
  can,
  PERMISSIONS,
  type PolicyRule,
  RECORD_ACTIONS,
  type RecordAction,
  type Right,
  requireRight,
} from './rights'
import { selectRules } from './rules-for'

/**
 * Throws `forbidden` when one of `roles` has a right that `actor` lacks: a caller can't grant more
 * than its own rights. This matters for keys, whose scopes are narrower than their owner's roles.
 */
export async function requireGrantable(
  db: Db,
  actor: Actor,
  roles: readonly string[],
): Promise<void> {
  const role = await findStronger(db, actor, roles)
  if (role !== null)
    throw new AppError(
      'forbidden',
      `You cannot grant the role "${role}": it has rights that you lack`,
    )
}

/**
 * Throws `forbidden` when a user with `roles` has a right that `actor` lacks and so may not manage.
 */
export async function requireNoStronger(
  db: Db,
  actor: Actor,
  roles: readonly string[],
): Promise<void> {
  if ((await findStronger(db, actor, roles)) !== null)
    throw new AppError('forbidden', 'This account has rights that you lack')
}

/** The first of `roles` that has a right that `actor` lacks, or null. */
export async function findStronger(
  db: Db,
  actor: Actor,
  roles: readonly string[],
): Promise<string | null> {
  if (actor.scopes === null && can(actor, 'users:manage')) return null
  for (const role of roles) {
    const policies = await selectRules(db, textArray([role]))
    const holder = { roles: [role], scopes: null, policies }
    const rights = [...EVERYTHING, ...rightsIn(policies)]
    if (rights.some((right) => can(holder, right) && !can(actor, right))) return role
  }
  return null
}

type Naming = Pick<PolicyRule, 'entities' | 'actions'>

/** Throws `forbidden` unless `actor` may do all that these policies name. */
export function requireRightsIn(actor: Actor, policies: readonly Naming[]): void {
  for (const right of rightsIn(policies)) requireRight(actor, right)
}

const rightsIn = (policies: readonly Naming[]): Right[] =>
  policies.flatMap(({ entities, actions }) =>
    entities.flatMap((entity) =>
      RECORD_ACTIONS.filter((action) => isNamed(actions, action)).map((action) => ({
        entity,
        action,
      })),
    ),
  )

const isNamed = (actions: readonly string[], action: RecordAction) =>
  actions.includes('*') || actions.includes(action)

// One system entity represents all of them: no wildcard includes them.
const EVERYTHING: readonly Right[] = [
  ...PERMISSIONS,
  ...['*', 'EngineUsers'].flatMap((entity) => RECORD_ACTIONS.map((action) => ({ entity, action }))),
]
