import type { History, InstallMode } from '@/lib/installs/contract'
import type { FileReport } from '@/lib/installs/file-report'
import type { InstallPreview, PlannedRecord } from '@/lib/installs/plan-contract'

export type { History, InstallMode, InstallPreview, PlannedRecord }

export type FileDetail = FileReport['details'][number]

/** A row of the log: what a plan says about a file holds for the result too. */
export type FileLog = Omit<FileReport, 'kind' | 'planned'>
export type FileStatus = FileReport['status']

/** A row of `EnginePlugins`. */
export type PluginRow = {
  id: string
  name: string
  version: string | null
  description: string | null
  author: string | null
  license: string | null
  image: string | null
  lastHistoryId: number | null
  createdAt: string
  updatedAt: string
}
