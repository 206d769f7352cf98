import { and, desc, eq, inArray, isNotNull, or } from 'drizzle-orm'
import { type AccountActor, type Actor, hasAccount, requireRight } from '@/lib/auth/rights'
import { type SavedViewRow, savedViews, viewDefaults } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { hasRole, isSeenByRole } from './audience'
import type { UpdateViewBody } from './contract'

export type ViewDefault = { viewId: string; userId: string | null; role: string | null }

/** Of the defaults of an entity, the latest first, the one that it opens with for `actor`. */
export function openingView(defaults: readonly ViewDefault[], actor: Actor): string | null {
  if (!hasAccount(actor)) return null
  const { userId, roles } = actor
  const own = defaults.find((each) => each.userId === userId)
  const ofRoles = roles.map((name) =>
    defaults.find(({ userId: user, role }) => user === null && role && hasRole([role], name)),
  )
  return (own ?? ofRoles.find((each) => each !== undefined))?.viewId ?? null
}

/**
 * Makes the view a default, or ends that, as far as `body` says. Throws `forbidden` for roles without the right to
 * manage users, `invalid_input` for a role that does not see the view.
 */
export async function changeDefaults(
  tx: Db,
  view: SavedViewRow,
  { defaultForMe, defaultForRoles }: UpdateViewBody,
  actor: AccountActor,
): Promise<void> {
  if (defaultForMe !== undefined) await changeOwn(tx, view, defaultForMe, actor.userId)
  if (defaultForRoles === undefined) return
  requireRight(actor, 'users:manage')
  const unseen = defaultForRoles.find((role) => !isSeenByRole(view, role))
  if (unseen !== undefined) throw unseenBy(unseen)
  await changeRoles(tx, view, defaultForRoles)
}

/** Ends that it is the default of roles that do not see it any more. */
export async function dropUnseen(tx: Db, view: SavedViewRow): Promise<void> {
  const defaults = await selectDefaults(tx, view.entity, null)
  const unseen = defaults.filter(
    ({ viewId, role }) => viewId === view.id && role !== null && !isSeenByRole(view, role),
  )
  await dropDefaults(tx, unseen)
}

async function changeOwn(tx: Db, view: SavedViewRow, on: boolean, userId: string): Promise<void> {
  const defaults = (await selectDefaults(tx, view.entity, userId)).filter(
    (each) => each.userId === userId,
  )
  await dropDefaults(tx, on ? defaults : defaults.filter(({ viewId }) => viewId === view.id))
  if (on) await insertDefault(tx, { viewId: view.id, userId, role: null })
}

async function changeRoles(tx: Db, view: SavedViewRow, roles: readonly string[]): Promise<void> {
  const defaults = await selectDefaults(tx, view.entity, null)
  const ended = defaults.filter(
    ({ viewId, role }) => role !== null && (viewId === view.id || hasRole(roles, role)),
  )
  await dropDefaults(tx, ended)
  for (const role of roles) await insertDefault(tx, { viewId: view.id, userId: null, role })
}

const unseenBy = (role: string) =>
  new AppError('invalid_input', `Users with the role "${role}" do not see this view`, {
    validations: [{ field: 'defaultForRoles', error: `${role} does not see this view` }],
  })

export type ViewDefaultRow = typeof viewDefaults.$inferSelect

/** The defaults of roles for an entity, and those of the user, the latest first. At most 1,000. */
export async function selectDefaults(
  db: Db,
  entity: string,
  userId: string | null,
): Promise<ViewDefaultRow[]> {
  const rows = await db
    .select({ found: viewDefaults })
    .from(viewDefaults)
    .innerJoin(savedViews, eq(savedViews.id, viewDefaults.viewId))
    .where(
      and(
        eq(savedViews.entity, entity),
        or(isNotNull(viewDefaults.role), userId ? eq(viewDefaults.userId, userId) : undefined),
      ),
    )
    .orderBy(desc(viewDefaults.createdAt), desc(viewDefaults.id))
    .limit(1000)
  return rows.map(({ found }) => found)
}

async function insertDefault(
  db: Db,
  row: Pick<ViewDefaultRow, 'viewId' | 'userId' | 'role'>,
): Promise<void> {
  await db.insert(viewDefaults).values(row)
}

async function dropDefaults(db: Db, rows: readonly ViewDefaultRow[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await db.delete(viewDefaults).where(inArray(viewDefaults.id, ids))
}
