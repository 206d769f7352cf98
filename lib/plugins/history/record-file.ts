import type { Db } from '@/lib/db/types'
import type { PluginManifest } from '@/lib/plugins/archive/plugin-manifest'
import type { FileReport } from '@/lib/plugins/file-report'
import { upsertPlugin } from '@/lib/plugins/store'
import { insertFileReports } from './record-install'

/** Where the files of an install are recorded; `isRegistered`: the plugin counts as installed already. */
export type FileHistory = { installId: number; manifest: PluginManifest; isRegistered: boolean }

/**
 * Records a file in the transaction of its own effects; the plugin is installed with the first file
 * that succeeds. Throws `InstallClosedError` when the install is over already.
 */
export async function recordFile(
  tx: Db,
  { installId, manifest, isRegistered }: FileHistory,
  report: FileReport,
): Promise<void> {
  await insertFileReports(tx, installId, [report])
  if (!isRegistered && report.status !== 'failed') await upsertPlugin(tx, manifest, installId)
}
