import { type Actor, can, hasAccount, requireRight } from '@/lib/auth/rights'
import type { SavedViewRow } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { listEntities } from '@/lib/registry/registry'
import { isSeenBy, visibilityOf } from './audience'
import type { SavedView } from './contract'
import { openingView, selectDefaults, type ViewDefaultRow } from './defaults'
import { namesHiddenField } from './names-hidden-field'
import { selectViews } from './store'

/** The saved views of an entity that `actor` sees. Throws `forbidden` without the right to read it. */
export async function listViews(deps: Deps, entity: string, actor: Actor): Promise<SavedView[]> {
  const { db } = deps
  requireRight(actor, { entity, action: 'read' })
  const found = await selectViews(db, entity, {
    userId: actor.userId,
    roles: can(actor, 'users:manage') ? null : actor.roles,
  })
  const isShown = await viewFilter(deps, actor)
  return present(
    db,
    found.filter((view) => isSeenBy(view, actor) && isShown(view)),
    actor,
  )
}

/** Which views of others name no field that is hidden from `actor`. */
export async function viewFilter(
  deps: Deps,
  actor: Actor,
): Promise<(view: Pick<SavedViewRow, 'ownerId' | 'entity' | 'params'>) => boolean> {
  const installed = await listEntities(deps)
  return ({ ownerId, entity: name, params }) => {
    const entity = installed.find((one) => one.name === name)
    if (!entity || ownerId === actor.userId) return true
    return !namesHiddenField(params, entity, actor, installed)
  }
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
