import { type Actor, can, hasAccount, requireRight } from '@/lib/auth/rights'
import type { SavedViewRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { isSeenBy, visibilityOf } from './audience'
import type { SavedView } from './contract'
import { openingView, selectDefaults, type ViewDefaultRow } from './defaults'
import { selectViews } from './store'

/** The saved views of an entity that `actor` sees. Throws `forbidden` without the right to read it. */
export async function listViews(
  { db }: Pick<Deps, 'db'>,
  entity: string,
  actor: Actor,
): Promise<SavedView[]> {
  requireRight(actor, { entity, action: 'read' })
  const found = await selectViews(db, entity, {
    userId: actor.userId,
    roles: can(actor, 'users:manage') ? null : actor.roles,
  })
  return present(
    db,
    found.filter((view) => isSeenBy(view, actor)),
    actor,
  )
}

/** Views of one entity that `actor` sees, as they see them. */
export async function present(
  db: Db,
  views: readonly SavedViewRow[],
  actor: Actor,
): Promise<SavedView[]> {
  const [first] = views
  if (!first) return []
  const ids = new Set(views.map(({ id }) => id))
  const defaults = (await selectDefaults(db, first.entity, actor.userId)).filter(({ viewId }) =>
    ids.has(viewId),
  )
  const opened = openingView(defaults, actor)
  return views.map((view) => ({
    ...toSavedView(view, actor, defaults),
    opens: view.id === opened,
  }))
}

function toSavedView(
  { id, entity, name, shared, role, params, ownerId }: SavedViewRow,
  actor: Actor,
  defaults: readonly ViewDefaultRow[],
): Omit<SavedView, 'opens'> {
  const own = defaults.filter(({ viewId }) => viewId === id)
  return {
    id,
    entity,
    name,
    shared,
    visibility: visibilityOf({ shared, role }),
    role,
    params,
    mine: ownerId === actor.userId,
    defaultForMe: hasAccount(actor) && own.some((each) => each.userId === actor.userId),
    defaultForRoles: own.flatMap((each) => each.role ?? []).sort(),
  }
}
