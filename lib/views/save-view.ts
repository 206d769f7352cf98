import { recordAudit } from '@/lib/audit/record-audit'
import { requireClearRoles } from '@/lib/auth/require-clear-roles'
import { type AccountActor, type Actor, can, requireAccount, requireRight } from '@/lib/auth/rights'
import type { SavedViewRow } from '@/lib/db/schema'
import { type Db, one } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { nameFault } from '@/lib/values/name-fault'
import { type Audience, audienceOf, isSeenBy, visibilityOf } from './audience'
import type { CreateViewBody, SavedView, UpdateViewBody } from './contract'
import { changeDefaults, dropUnseen } from './defaults'
import { present, viewFilter } from './list-views'
import { changeView, getView, insertView, removeView, requireRoom } from './store'

type By = { actor: Actor; requestId: string }

/**
 * Creates a view. Throws `forbidden` without the right to read the entity, or to publish what others are to see,
 * `conflict` for a taken name and beyond the limits of a person, and as `audienceOf` and `changeDefaults` do.
 */
export async function createView(
  { db }: Pick<Deps, 'db'>,
  body: CreateViewBody,
  { actor, requestId }: By,
): Promise<SavedView> {
  requireAccount(actor)
  requireRight(actor, { entity: body.entity, action: 'read' })
  const { entity, name, params } = body
  const audience = audienceOf(body, { shared: false, role: null })
  requirePublishing(actor, audience)
  return db.transaction(async (tx) => {
    await requireClearRole(tx, audience, null)
    await requireRoom(tx, entity, actor)
    const view = await insertView(tx, { entity, name, params, ...audience, ownerId: actor.userId })
    await changeDefaults(tx, view, body, actor)
    return recorded(tx, 'views.create', view, { actor, requestId })
  })
}

/**
 * Changes a view; whether it is somebody's default may change who sees it, the rest only its owner and managers of
 * users; what others see, or are to see, also needs the right to publish. Throws `not_found`, `forbidden`, `conflict`
 * for a taken name, `invalid_input` for a new one that could be taken for another, and as `audienceOf` and
 * `changeDefaults` do.
 */
export async function updateView(
  deps: Deps,
  id: string,
  changes: UpdateViewBody,
  { actor, requestId }: By,
): Promise<SavedView> {
  const isShown = await viewFilter(deps, actor)
  return deps.db.transaction(async (tx) => {
    const before = await getView(tx, id)
    requireSeen(before, actor, isShown)
    const view = onlyDefaults(changes) ? before : await change(tx, before, changes, actor)
    await dropUnseen(tx, view)
    await changeDefaults(tx, view, changes, actor)
    return recorded(tx, 'views.update', view, { actor, requestId })
  })
}

async function change(
  tx: Db,
  before: SavedViewRow,
  changes: UpdateViewBody,
  actor: Actor,
): Promise<SavedViewRow> {
  requireOwner(before, actor)
  const { name, params } = changes
  const audience = audienceOf(changes, before)
  requirePublishing(actor, audience)
  await requireClearRole(tx, audience, before.role)
  const fault = name === undefined || name === before.name ? null : nameFault(name)
  if (fault !== null)
    throw new AppError('invalid_input', `name: ${fault}`, {
      validations: [{ field: 'name', error: fault }],
    })
  return changeView(tx, before.id, { name, params, ...audience, updatedAt: new Date() })
}

/** Throws as `updateView` does. */
export async function deleteView(deps: Deps, id: string, { actor, requestId }: By): Promise<void> {
  const isShown = await viewFilter(deps, actor)
  return deps.db.transaction(async (tx) => {
    const view = await getView(tx, id)
    requireSeen(view, actor, isShown)
    requireOwner(view, actor)
    await removeView(tx, id)
    await recordAudit(tx, actor, entryOf('views.delete', view, requestId))
  })
}

/** Says nothing of the view itself: only for whom it is the default. */
const onlyDefaults = ({ defaultForMe, defaultForRoles, ...rest }: UpdateViewBody) =>
  Object.keys(rest).length === 0 && (defaultForMe !== undefined || defaultForRoles !== undefined)

// Views that somebody does not see do not exist for them.
function requireSeen(
  view: SavedViewRow,
  actor: Actor,
  isShown: (view: SavedViewRow) => boolean,
): asserts actor is AccountActor {
  requireAccount(actor)
  if (!isSeenBy(view, actor) || !isShown(view))
    throw new AppError('not_found', 'There is no saved view with this id')
  requireRight(actor, { entity: view.entity, action: 'read' })
}

function requireOwner({ ownerId }: SavedViewRow, actor: Actor): void {
  if (ownerId !== actor.userId && !can(actor, 'users:manage'))
    throw new AppError('forbidden', 'Only its owner may change this view')
}

const requireClearRole = (tx: Db, { role }: Audience, before: string | null): Promise<void> =>
  requireClearRoles(tx, role === null ? [] : [role], before === null ? [] : [before], () => 'role')

/** What is to stay private, or becomes so, needs no right. */
function requirePublishing(actor: Actor, audience: Audience): void {
  if (visibilityOf(audience) !== 'private') requireRight(actor, 'views:publish')
}

async function recorded(tx: Db, action: string, view: SavedViewRow, by: By): Promise<SavedView> {
  const saved = one(await present(tx, [view], by.actor))
  await recordAudit(tx, by.actor, entryOf(action, saved, by.requestId))
  return saved
}

type Recorded = Pick<SavedView, 'id' | 'entity' | 'name' | 'shared'> &
  Partial<Pick<SavedView, 'role' | 'defaultForMe' | 'defaultForRoles'>>

const entryOf = (
  action: string,
  { id, entity, name, shared, role, defaultForMe, defaultForRoles }: Recorded,
  requestId: string,
) => ({
  action,
  objectType: 'view',
  objectId: id,
  details: {
    entity,
    name,
    shared,
    ...(role ? { role } : {}),
    ...(defaultForMe ? { defaultForMe } : {}),
    ...(defaultForRoles?.length ? { defaultForRoles } : {}),
  },
  requestId,
})
