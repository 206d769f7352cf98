import 'server-only'
import { type Actor, requireRight } from '@/lib/auth/rights'
import type { SavedViewRow } from '@/lib/db/schema'
import type { Deps } from '@/lib/runtime'
import type { SavedView } from './contract'
import { selectViews } from './store'

/** The saved views of an entity that `actor` sees. Throws `forbidden` without the right to read it. */
export async function listViews(
  { db }: Pick<Deps, 'db'>,
  entity: string,
  actor: Actor,
): Promise<SavedView[]> {
  requireRight(actor, { entity, action: 'read' })
  const views = await selectViews(db, entity, actor.userId)
  return views.map((view) => toSavedView(view, actor))
}

export const toSavedView = (
  { id, entity, name, shared, params, ownerId }: SavedViewRow,
  { userId }: Pick<Actor, 'userId'>,
): SavedView => ({ id, entity, name, shared, params, mine: ownerId === userId })
