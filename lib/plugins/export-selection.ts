import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { archiveName } from './export/archive-name'
import { packPlugin } from './export/pack-plugin'
import { selectEntities } from './export/select-entities'
import type { ExportBody } from './export-contract'
import type { ExportedArchive } from './export-plugin'

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
