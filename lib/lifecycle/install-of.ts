import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { readBasis } from '@/lib/installs/basis'
import type { InstallRequest } from '@/lib/installs/install-request'
import type { ExportedArchive } from './export-plugin'

type Options = { actor: Actor; requestId: string; seal?: string | undefined }

/**
 * The install, all or nothing, of an archive that is made here from an installed plugin: it is refused once the plugin
 * is another one than that of which the archive is made.
 */
export async function installOf(
  { db }: Pick<Deps, 'db'>,
  pluginId: string,
  make: () => Promise<ExportedArchive>,
  { actor, requestId, seal }: Options,
): Promise<InstallRequest> {
  const basis = await readBasis(db, pluginId)
  const { fileName, chunks } = await make()
  const archive = await buffer(chunks)
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const loadArchive = async () => archive
  const origin = { isLocal: true, basis, mode: 'atomic' as const, actor, requestId }
  const made = { loadArchive, sha256, source: fileName, ...origin }
  return seal === undefined ? made : { ...made, seal }
}
