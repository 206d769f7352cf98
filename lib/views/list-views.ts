import type { Deps } from '@/lib/deps'
import 'server-only'
import { type Actor, requireRight } from '@/lib/auth/rights'
import type { SavedViewRow } from '@/lib/db/schema'
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
  // A key that is limited to scopes has no account, and so no views of its own.
  const seen = actor.scopes === null ? views : views.filter(({ shared }) => shared)
  return seen.map((view) => toSavedView(view, actor))
}

export const toSavedView = (
  { id, entity, name, shared, params, ownerId }: SavedViewRow,
  { userId }: Pick<Actor, 'userId'>,
): SavedView => ({ id, entity, name, shared, params, mine: ownerId === userId })
