import { z } from 'zod'
import { faultGroup, fileDetail } from '@/lib/archives/fault-contract'
import type { InstallRow } from '@/lib/db/schema'
import { installSignature, signer } from '@/lib/publishers/contract'
import { isStorableText } from '@/lib/values/storable'
import { count, instant, jsonObject, jsonValue } from '@/lib/values/wire-types'

export const mode = z.enum(['partial', 'atomic'])

/** Query of `POST /api/plugins/install/zip`. */
export const installQuery = z.strictObject({
  dryRun: z
    .stringbool()
    .default(false)
    .meta({ description: 'Only report what installing would do' }),
  mode: mode.default('partial').meta({
    description: '`partial`: each file by itself; `atomic`: all files or none',
  }),
  seal: z.string().min(1).max(8_000).optional().meta({
    description: 'Of a plan: installs only while it holds, otherwise 409 says what has changed',
  }),
  acceptKey: z.stringbool().default(false).meta({
    description:
      'Installs a version that another key signed than the one before, or none: for an administrator who has confirmed it by a code or a passkey; a dry run needs no confirmation',
  }),
  detail: z.enum(['records', 'conflicts']).optional().meta({
    description:
      'With `dryRun`: also what `file` does to its records, or its conflicts, a page of them',
  }),
  file: z.string().min(1).max(1_000).optional().meta({
    description: 'Path of a data file of the archive, as in `plan.files`',
  }),
  page: z.coerce.number().int().min(0).default(0),
  size: z.coerce.number().int().min(1).max(1000).default(100),
  onConflict: z.enum(['keep', 'take', 'fail']).optional().meta({
    description:
      'With `Upsert`, for fields that were changed here and by the plugin: `keep` what is here (the default, unless a manifest says otherwise), `take` what the archive has, or `fail` the file',
  }),
  removed: z.enum(['keep', 'delete']).optional().meta({
    description:
      'With `Upsert`, for records that the file gave before and gives no longer: `keep` them (the default), or `delete` those that were not changed here',
  }),
  deleted: z.enum(['keep', 'restore']).optional().meta({
    description:
      'With `Upsert`, for records of the file that were deleted here: `keep` them deleted (the default), or `restore` them as the archive has them',
  }),
  from: z
    .string()
    .min(1)
    .max(1_000)
    .refine(isStorableText, 'Holds text that the database cannot store')
    .optional()
    .meta({
      description:
        'With `mode=atomic`, the address of the server whose records these are: where `AutoIncrement` gave a number to another record here, they get one of their own, which is remembered, and references follow',
    }),
})
export type InstallMode = z.infer<typeof installQuery>['mode']

/** Query of `POST /api/plugins/history/:id/rollback`. */
export const rollbackQuery = z.strictObject({
  dryRun: z.stringbool().default(false).meta({ description: 'Only report what it would do' }),
  onConflict: z.enum(['keep', 'take', 'fail']).default('keep').meta({
    description:
      'For what was changed here since: `keep` it, `take` the state before the install, or `fail`',
  }),
  seal: z.string().min(1).max(8_000).optional().meta({
    description: 'Of a plan: rolls back only if it would do the same, otherwise 409',
  }),
})
export type RollbackQuery = z.infer<typeof rollbackQuery>

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

export const outcome = { totalFiles: count, successCount: count, failedCount: count }

export const installId = z
  .int()
  .min(1)
  .meta({ description: 'Number of the install in the history' })

/** One install in the history. */
export const history = z
  .object({
    id: installId,
    kind: z
      .enum(['install', 'uninstall', 'restore', 'rollback'])
      .meta({ description: '`restore`: it came back from the trash' }),
    rollbackOf: installId.nullable().meta({ description: 'The install that this rollback undid' }),
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
    cancelledBy: z.string().nullable().meta({ description: 'Who cancelled it before its end' }),
    processedFiles: count,
    ...outcome,
    recordCount: count,
    warningCount: count.meta({ description: 'Of all files, at most 100 of each' }),
    errors: z.array(z.string()).meta({ description: 'Why the install as a whole failed' }),
    signature: installSignature
      .nullable()
      .meta({ description: 'Null for anything but an install, and for those before signatures' }),
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

/** A record that was changed here and by the plugin. */
export const recordConflict = z.object({
  key: jsonValue.meta({ description: 'The `persistenceId`' }),
  change: z.enum(['edited', 'deleted']).meta({ description: 'What happened to the record here' }),
  decision: z.enum(['keep', 'take']),
  fields: z
    .array(z.object({ field: z.string(), base: jsonValue, ours: jsonValue, theirs: jsonValue }))
    .meta({
      description:
        '`base`: as the plugin last gave it; `ours`: as it is here; `theirs`: as the archive has it',
    }),
})

export const fileOutcome = {
  path: z.string(),
  target: z.string().nullable(),
  status: fileStatus,
  error: z.string().nullable().meta({ description: 'Why it failed or was ignored' }),
  details: z.array(fileDetail).meta({ description: 'The first 100' }),
  detailCount: count,
  groups: z.array(faultGroup).meta({
    description:
      'The faults of records by rule, field and value, the largest first; empty for other faults',
  }),
  warnings: z.array(fileDetail).meta({
    description: 'What is ignored or likely a mistake, such as misspelt keys; the first 100',
  }),
  changes: z.array(z.string()).meta({ description: 'Changes of tables, in words' }),
  records: z.object({ created: count, updated: count, unchanged: count, failed: count }),
  conflicts: z.array(recordConflict).meta({
    description: 'Records that were changed here and by the plugin; the first 100',
  }),
  conflictCount: count,
  removed: z
    .object({ total: count, deleted: count })
    .meta({ description: 'Records that the file gave before and gives no longer' }),
  deleted: z
    .object({ kept: count, restored: count })
    .meta({ description: 'Records of the file that were deleted here: `kept` so, or `restored`' }),
  durationMs: z.number(),
}

/** What happened to one file. */
export const loggedFile = z
  .object({ id: z.int(), installId, ...fileOutcome })
  .meta({ id: 'Engine.InstalledFile' })

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
    signer: signer.nullable().meta({ description: 'The publisher, where a trusted key signed it' }),
    createdAt: instant,
    updatedAt: instant,
    persistenceId: z.string(),
    entities: z.array(z.string()).meta({ description: 'Names of the entities it owns' }),
  })
  .meta({ id: 'Engine.Plugin' })

export const installForm = z.object({
  file: z.string().meta({ format: 'binary', description: 'The archive, a ZIP' }),
  decisions: z.string().optional().meta({
    description:
      'About single conflicts, as JSON: `{ "Entity": { "keep": […], "take": […] } }` with the `key` of each; all others are decided by `onConflict`. An install with decisions needs the `seal` of a plan with the same ones',
  }),
})

const MAX_DECISIONS = 5_000

const keys = z
  .array(z.string().min(1).max(2_000))
  .max(MAX_DECISIONS)
  .default([])
  .meta({ description: 'The `key` of each conflict' })

const ofEntity = z
  .strictObject({ keep: keys, take: keys })
  .refine(({ keep, take }) => new Set([...keep, ...take]).size === keep.length + take.length, {
    message: 'A record is named twice',
  })

/** What a request decides about single conflicts, by entity: the keys of records that are kept, or taken. */
export const decisionsSchema = z.record(z.string().min(1).max(200), ofEntity)
export type Decisions = z.infer<typeof decisionsSchema>

/** Body of `POST /api/plugins/history/:id/rollback`, which may be left out. */
export const rollbackBody = z.strictObject({
  decisions: decisionsSchema.optional().meta({
    description: 'About single conflicts, by entity; `onConflict` decides about the others',
  }),
})
