import { z } from 'zod'
import type { InstallRow } from '@/lib/db/schema'
import { count, instant, jsonObject, jsonValue } from '@/lib/values/wire-types'

const mode = z.enum(['partial', 'atomic'])

/** Query of `POST /api/plugins/install/zip`. */
export const installQuery = z.strictObject({
  dryRun: z
    .stringbool()
    .default(false)
    .meta({ description: 'Only report what installing would do' }),
  mode: mode.default('partial').meta({
    description: '`partial`: each file by itself; `atomic`: all files or none',
  }),
})
export type InstallMode = z.infer<typeof installQuery>['mode']

/** The serial number of an install, in decimal digits. */
const installNumber = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'is not the number of an installation')
  .transform(Number)
  .refine(Number.isSafeInteger, 'is not the number of an installation')
  .meta({ pattern: '^[1-9][0-9]*$', description: 'Number of the installation' })
export const historyParams = z.strictObject({ id: installNumber })

export const pluginParams = z.strictObject({ id: z.string().min(1).max(200) })

const fileStatus = z.enum(['created', 'updated', 'unchanged', 'failed', 'ignored'])

/** Query of `GET /api/plugins/history/:id/logs`. */
export const logsQuery = z.strictObject({
  status: fileStatus.optional(),
  page: z.coerce.number().int().min(0).default(0),
  size: z.coerce.number().int().min(1).max(1000).default(100),
})
export type LogsQuery = z.infer<typeof logsQuery>

const outcome = { totalFiles: count, successCount: count, failedCount: count }

const installId = z.int().min(1).meta({ description: 'Number of the install in the history' })

/** One install in the history. */
export const history = z
  .object({
    id: installId,
    pluginId: z.string().nullable(),
    pluginName: z.string().nullable(),
    version: z.string().nullable(),
    source: z.string().meta({ description: 'Name of the uploaded file' }),
    sha256: z.string(),
    mode,
    status: z.enum(['IN_PROGRESS', 'SUCCESS', 'PARTIAL', 'FAILED']),
    startedAt: instant,
    completedAt: instant.nullable(),
    durationMs: z.int().nullable(),
    installedBy: z.string().nullable(),
    processedFiles: count,
    ...outcome,
    recordCount: count,
    errors: z.array(z.string()).meta({ description: 'Why the install as a whole failed' }),
    persistenceId: z.string(),
  })
  .meta({ id: 'Engine.Install' })
export type History = z.infer<typeof history>

export function toHistory({ planned: _, ...row }: InstallRow): History {
  const { startedAt, completedAt } = row
  return {
    ...row,
    persistenceId: String(row.id),
    startedAt: startedAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  }
}

const detail = z.object({
  index: z.int().optional().meta({ description: 'Index of the record in its file, from 0' }),
  pointer: z.string().optional().meta({ description: 'JSON pointer in the record' }),
  line: z.int().optional(),
  column: z.int().optional(),
  key: jsonValue.optional(),
  value: jsonValue.optional().meta({ description: 'The offending value, shortened' }),
  message: z.string(),
})

const fileOutcome = {
  path: z.string(),
  target: z.string().nullable(),
  status: fileStatus,
  error: z.string().nullable().meta({ description: 'Why it failed or was ignored' }),
  details: z.array(detail).meta({ description: 'The first 100' }),
  detailCount: count,
  warnings: z.array(detail).meta({
    description: 'What is ignored or likely a mistake, such as misspelt keys; the first 100',
  }),
  changes: z.array(z.string()).meta({ description: 'Changes of tables, in words' }),
  records: z.object({ created: count, updated: count, unchanged: count, failed: count }),
  durationMs: z.number(),
}

/** What happened to one file. */
export const loggedFile = z
  .object({ id: z.int(), installId, ...fileOutcome })
  .meta({ id: 'Engine.InstalledFile' })

const previewedFile = z.object({
  ...fileOutcome,
  kind: z.enum(['type', 'schema', 'entity', 'role', 'policy', 'data']).nullable(),
  planned: z.boolean().meta({ description: 'A content file, which is counted' }),
})

/** The response to `?dryRun=true`: the install's outcome, file by file, with nothing written. */
export const installPreview = z
  .object({
    pluginId: z.string(),
    pluginName: z.string(),
    version: z.string().nullable(),
    installedVersion: z
      .string()
      .nullish()
      .meta({ description: 'Left out when the plugin is not installed' }),
    isDowngrade: z.boolean(),
    mode,
    status: z.enum(['SUCCESS', 'PARTIAL', 'FAILED']),
    ...outcome,
    recordCount: count,
    seal: z.string().meta({
      description:
        'SHA-256 over the archive and this outcome: installs with equal seals do the same',
    }),
    files: z.array(previewedFile),
  })
  .meta({ id: 'Engine.InstallPreview' })
export type InstallPreview = z.infer<typeof installPreview>

/** The response to an install, interface.md §5: no envelope. */
export const installResponse = z
  .object({
    status: z.int(),
    message: z.string(),
    data: z.object({
      history: installId,
      pluginId: z.string().nullable(),
      pluginName: z.string().nullable(),
      ...outcome,
    }),
  })
  .meta({ id: 'Engine.InstallResponse' })
export type InstallResponse = z.infer<typeof installResponse>

/** An installed plugin: its manifest and its entities. */
export const plugin = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.string().nullable(),
    description: z.string().nullable(),
    author: z.string().nullable(),
    license: z.string().nullable(),
    image: z.string().nullable().meta({ description: 'A data URI' }),
    manifest: jsonObject.meta({ description: 'engineplugin.json as uploaded' }),
    lastHistoryId: installId.nullable(),
    createdAt: instant,
    updatedAt: instant,
    persistenceId: z.string(),
    entities: z.array(z.string()).meta({ description: 'Names of the entities it owns' }),
  })
  .meta({ id: 'Engine.Plugin' })

export const installForm = z.object({
  file: z.string().meta({ format: 'binary', description: 'The archive, a ZIP' }),
})
