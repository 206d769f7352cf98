import type { Deps } from '@/lib/deps'
import 'server-only'
import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, can, requireAccount, requireRight } from '@/lib/auth/rights'
import type { SavedViewRow } from '@/lib/db/schema'
import { AppError } from '@/lib/errors'
import type { CreateViewBody, SavedView, UpdateViewBody } from './contract'
import { toSavedView } from './list-views'
import { changeView, getView, insertView, removeView } from './store'

type By = { actor: Actor; requestId: string }

/**
 * Creates a view. Throws `forbidden` without the right to read the entity, `conflict` for a taken
 * name.
 */
export async function createView(
  { db }: Pick<Deps, 'db'>,
  body: CreateViewBody,
  { actor, requestId }: By,
): Promise<SavedView> {
  requireAccount(actor)
  requireRight(actor, { entity: body.entity, action: 'read' })
  return db.transaction(async (tx) => {
    const view = await insertView(tx, { ...body, ownerId: actor.userId })
    await recordAudit(tx, actor, entryOf('views.create', view, requestId))
    return toSavedView(view, actor)
  })
}

/**
 * Changes a view. Throws `not_found`, `forbidden` for another user's view, `conflict` for a taken
 * name.
 */
export const updateView = (
  { db }: Pick<Deps, 'db'>,
  id: string,
  changes: UpdateViewBody,
  { actor, requestId }: By,
): Promise<SavedView> =>
  db.transaction(async (tx) => {
    requireOwner(await getView(tx, id), actor)
    const view = await changeView(tx, id, { ...changes, updatedAt: new Date() })
    await recordAudit(tx, actor, entryOf('views.update', view, requestId))
    return toSavedView(view, actor)
  })

/** Throws as `updateView` does. */
export const deleteView = (
  { db }: Pick<Deps, 'db'>,
  id: string,
  { actor, requestId }: By,
): Promise<void> =>
  db.transaction(async (tx) => {
    const view = await getView(tx, id)
    requireOwner(view, actor)
    await removeView(tx, id)
    await recordAudit(tx, actor, entryOf('views.delete', view, requestId))
  })

// Managers of users may change shared views; private views do not exist for others.
function requireOwner({ ownerId, shared }: SavedViewRow, actor: Actor): void {
  requireAccount(actor)
  if (ownerId === actor.userId) return
  if (!shared) throw new AppError('not_found', 'There is no saved view with this id')
  if (!can(actor, 'users:manage'))
    throw new AppError('forbidden', 'Only its owner may change this view')
}

const entryOf = (
  action: string,
  { id, entity, name, shared }: SavedViewRow,
  requestId: string,
) => ({
  action,
  objectType: 'view',
  objectId: id,
  details: { entity, name, shared },
  requestId,
})
