import type { Actor } from '@/lib/auth/rights'
import type { DefinitionName } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError, type Validation } from '@/lib/errors'
import { changedSince } from '@/lib/installs/basis'
import type { InstallRequest } from '@/lib/installs/install-request'
import { editSelection } from '@/lib/lifecycle/edit/edit-selection'
import { LOCAL } from '@/lib/lifecycle/edit/next-version'
import { findPlugin, type Selection, selectPlugin } from '@/lib/lifecycle/export/selection'
import { exportDefinitions } from '@/lib/lifecycle/export-plugin'
import { installOf } from '@/lib/lifecycle/install-of'
import { revertedSelection } from '@/lib/lifecycle/local/reverted-selection'
import type { JsonObject } from '@/lib/values/json'
import type { Dropping } from './drop-definitions'
import { LOCAL_MODEL, type ModelBody } from './model-contract'
import { loadPart, namesIn } from './uninstall/part-removal'

export type ModelInput = ModelBody & {
  actor: Actor
  requestId: string
  /** Stops what has not been installed yet. */
  signal: AbortSignal
  seal?: string | undefined
}

/**
 * The install of a plugin's next version, whose definitions are those it has after the edits, or with these in place of those of the same
 * name. Whether they are sound, its plan says. Throws `invalid_input` for an edit that can't be made and for a definition without a name or
 * named twice, `conflict` after another install than the one that is named, and `not_found` for a plugin that is not installed and is not local.
 */
export async function editedModel(deps: Deps, input: ModelInput): Promise<EditedModel> {
  const { actor, signal } = input
  let dropping: Dropping | null = null
  const make = async () => {
    const next = await nextModel(deps, input)
    dropping = next.dropping
    return exportDefinitions(deps, async () => next.selection, { actor, signal })
  }
  const request = await installOf(deps, input.plugin, make, input)
  return { request, dropping }
}

type Next = { selection: Selection; dropping: Dropping | null }

async function nextModel({ db }: Deps, input: ModelInput): Promise<Next> {
  const { plugin, entities, schemas, types, roles, policies, reverted } = input
  const written = { entities, schemas, types, roles, policies }
  requireNames(written)
  const next = await nextOf(db, input)
  if (reverted.length > 0) {
    const { selection, added, planned } = await revertedSelection(db, next, reverted)
    return without(db, selection, { plugin, names: added, planned })
  }
  const names = removedNames(input)
  return without(db, { ...next, written }, { plugin, names, planned: [] })
}

/** Without definitions, and without what goes with them. */
async function without(db: Db, selection: Selection, asked: Dropping): Promise<Next> {
  if (asked.names.length === 0) return { selection, dropping: null }
  const { removal } = await loadPart(db, asked.plugin, asked.names, asked.planned)
  const names = namesIn(removal)
  const stays = (kind: DefinitionName['kind']) => (one: { name: string }) =>
    !names.some((other) => other.kind === kind && other.name === one.name)
  const left = {
    ...selection,
    // A field that has one of them keeps it, so that the removal is refused.
    fieldTypes: selection.types,
    types: selection.types.filter(stays('type')),
    schemas: selection.schemas.filter(stays('schema')),
    entities: selection.entities.filter(({ entity }) => stays('entity')(entity)),
    roles: selection.roles.filter(stays('role')),
    policies: selection.policies.filter(stays('policy')),
  }
  return { selection: left, dropping: { ...asked, names } }
}

/** What a body removes; a text is the name of an entity. */
export const removedNames = ({ removed }: Pick<ModelBody, 'removed'>): DefinitionName[] =>
  removed.map((one) => (typeof one === 'string' ? { kind: 'entity', name: one } : one))

type EditedModel = {
  request: InstallRequest
  /** What the next version no longer has. */
  dropping: Dropping | null
}

async function nextOf(db: Db, { plugin: id, lastHistoryId, edits }: ModelBody): Promise<Selection> {
  const plugin = await findPlugin(db, id)
  if (lastHistoryId !== undefined && plugin?.lastHistoryId !== lastHistoryId) throw changedSince(id)
  return plugin ? editSelection(await selectPlugin(db, id), edits) : newModel(id, edits.length > 0)
}

function newModel(id: string, isEdited: boolean): Selection {
  if (isEdited) throw new AppError('not_found', `The plugin "${id}" is not installed`)
  if (!id.startsWith(LOCAL))
    throw new AppError(
      'not_found',
      `The plugin "${id}" is not installed; the id of a new one begins with "${LOCAL}"`,
    )
  const name = id === LOCAL_MODEL ? 'Local model' : id.slice(LOCAL.length)
  return {
    manifest: { id, name, version: '1.0.0' },
    ...{ types: [], schemas: [], entities: [], roles: [], policies: [], webhooks: [] },
  }
}

function requireNames(lists: Record<string, readonly JsonObject[]>): void {
  const validations = Object.entries(lists).flatMap(([list, definitions]) => {
    const known = new Set<string>()
    return definitions.flatMap(({ name }, at): Validation[] => {
      const field = `${list}.${at}.name`
      if (typeof name !== 'string' || name.trim() === '')
        return [{ field, error: 'must be the name of the definition' }]
      if (known.has(name)) return [{ field, error: `"${name.slice(0, 200)}" is named twice` }]
      known.add(name)
      return []
    })
  })
  if (validations.length > 0)
    throw new AppError('invalid_input', 'Each definition needs a name of its own', {
      validations: validations.slice(0, 100),
    })
}
