import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Actor } from '@/lib/auth/rights'
import type { InstallRequest } from '@/lib/installs/install-request'
import type { ExportedArchive } from './export-plugin'

type Options = { actor: Actor; requestId: string; seal?: string | undefined }

/** The install, all or nothing, of an archive that was made here. */
export async function installOf(
  { fileName, chunks }: ExportedArchive,
  { actor, requestId, seal }: Options,
): Promise<InstallRequest> {
  const archive = await buffer(chunks)
  const sha256 = createHash('sha256').update(archive).digest('hex')
  const loadArchive = async () => archive
  const origin = { isLocal: true, mode: 'atomic' as const, actor, requestId }
  const made = { loadArchive, sha256, source: fileName, ...origin }
  return seal === undefined ? made : { ...made, seal }
}
