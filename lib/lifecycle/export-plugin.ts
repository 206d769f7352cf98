import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { requireReadAll } from '@/lib/registry/may-read'
import type { EditBody, ExportBody, ExportQuery } from './contract'
import { editSelection } from './edit/edit-selection'
import { packPlugin } from './export/pack-plugin'
import { type Selection, selectEntities, selectPlugin } from './export/selection'

type ExportPlugin = ExportQuery & {
  pluginId: string
  actor: Actor
  /** Stops the export. */
  signal: AbortSignal
}

export type ExportedArchive = {
  fileName: string
  mediaType: string
  /** Must be read to the end or returned early: until then it may hold a connection. */
  chunks: AsyncIterable<Uint8Array>
}

/**
 * An installed plugin as an archive that installs again: its definitions as they are now, and its
 * records by their keys. Throws `not_found`, `forbidden` unless the actor may read each entity whose
 * records it contains, and `unavailable` while too many exports are running.
 */
export async function exportPlugin(
  deps: Deps,
  { pluginId, records, actor, signal }: ExportPlugin,
): Promise<ExportedArchive> {
  let fileName = ''
  const recordsOf = (selection: Selection) => {
    fileName = archiveName(selection.manifest)
    if (records === 'none') return []
    for (const { entity } of selection.entities)
      requireReadAll(actor, entity, 'An export with records', 'use records=none')
    if (records === 'all') return selection.entities
    return selection.entities.map((one) => ({ ...one, changedOf: pluginId }))
  }
  const select = () => selectPlugin(deps.db, pluginId)
  const chunks = await packPlugin(deps, select, { actor, signal, recordsOf })
  return { fileName, mediaType: 'application/zip', chunks }
}

type ExportEdited = EditBody & Omit<ExportPlugin, 'records'>

/**
 * The next version of an installed plugin as an archive: its definitions after the edits, without records. Throws as
 * `editSelection` and `exportPlugin` do.
 */
export function exportEdited(
  deps: Deps,
  { pluginId, edits, ...packing }: ExportEdited,
): Promise<ExportedArchive> {
  const select = async () => editSelection(await selectPlugin(deps.db, pluginId), edits)
  return exportDefinitions(deps, select, packing)
}

/** What is selected as an archive without records. Throws as `select` does. */
export async function exportDefinitions(
  deps: Deps,
  select: () => Promise<Selection>,
  packing: Pick<ExportPlugin, 'actor' | 'signal'>,
): Promise<ExportedArchive> {
  const selection = await select()
  const recordsOf = () => []
  const chunks = await packPlugin(deps, async () => selection, { ...packing, recordsOf })
  return { fileName: archiveName(selection.manifest), mediaType: 'application/zip', chunks }
}

type ExportSelection = {
  body: ExportBody
  actor: Actor
  /** Stops the export. */
  signal: AbortSignal
}

/**
 * A new plugin as an archive: entities of any plugin with their schemas and the records that match, and
 * roles and policies. Throws as `selectEntities` does, and `unavailable` while too many exports are running.
 */
export async function exportSelection(
  deps: Deps,
  { body, actor, signal }: ExportSelection,
): Promise<ExportedArchive> {
  const select = () => selectEntities(deps, actor, body)
  const chunks = await packPlugin(deps, select, {
    actor,
    signal,
    recordsOf: ({ entities }) => entities,
  })
  return { fileName: archiveName(body), mediaType: 'application/zip', chunks }
}

/** `com.example.shop-1.2.0.zip` */
function archiveName({ id, version }: { id?: unknown; version?: unknown }): string {
  const ending = typeof version === 'string' || typeof version === 'number' ? `-${version}` : ''
  return `${id}${ending}.zip`
}
