import { z } from 'zod'
import type { InstallRow } from '@/lib/db/schema'
import type { FileReport } from './file-report'

/** Query of `POST /api/plugins/install/zip`. */
export const installQuery = z.strictObject({
  dryRun: z.stringbool().default(false),
  mode: z.enum(['partial', 'atomic']).default('partial'),
})
export type InstallMode = z.infer<typeof installQuery>['mode']

export const historyParams = z.strictObject({ id: z.uuid('is not the id of an installation') })

export const pluginParams = z.strictObject({ id: z.string().min(1).max(200) })

/** Query of `GET /api/plugins/history/:id/logs`. */
export const logsQuery = z.strictObject({
  status: z.enum(['created', 'updated', 'unchanged', 'failed', 'ignored']).optional(),
  page: z.coerce.number().int().min(0).default(0),
  size: z.coerce.number().int().min(1).max(1000).default(100),
})
export type LogsQuery = z.infer<typeof logsQuery>

/** One install, as the history shows it. Times are ISO 8601 in UTC. */
export type History = Omit<InstallRow, 'planned' | 'startedAt' | 'completedAt'> & {
  persistenceId: string
  startedAt: string
  completedAt: string | null
}

export function toHistory({ planned: _, ...row }: InstallRow): History {
  const { startedAt, completedAt } = row
  return {
    ...row,
    persistenceId: row.id,
    startedAt: startedAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  }
}

/** What `?dryRun=true` answers: the install's outcome, file by file, with nothing written. */
export type InstallPreview = {
  pluginId: string
  pluginName: string
  version: string | null
  /** Undefined when the plugin is not installed. */
  installedVersion?: string | null
  isDowngrade: boolean
  mode: InstallMode
  status: 'SUCCESS' | 'PARTIAL' | 'FAILED'
  totalFiles: number
  successCount: number
  failedCount: number
  recordCount: number
  /** Hex SHA-256 over the archive and this outcome: two equal seals do the same. */
  seal: string
  files: FileReport[]
}
