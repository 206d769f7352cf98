import type { Db } from '@/lib/db/types'
import type { PluginManifest } from '@/lib/plugins/archive/plugin-manifest'
import type { FileReport } from '@/lib/plugins/file-report'
import { upsertPlugin } from '@/lib/plugins/store'
import { insertFileReports } from './record-install'

/** The install in which files are recorded; `isRegistered`: the plugin already counts as installed. */
export type FileHistory = { installId: number; manifest: PluginManifest; isRegistered: boolean }

/**
 * Records a file in the transaction of its own effects; the first file that succeeds makes the plugin
 * installed. Throws `InstallClosedError` when the install is already closed.
 */
export async function recordFile(
  tx: Db,
  { installId, manifest, isRegistered }: FileHistory,
  report: FileReport,
): Promise<void> {
  await insertFileReports(tx, installId, [report])
  if (!isRegistered && report.status !== 'failed') await upsertPlugin(tx, manifest, installId)
}
