import { z } from 'zod'
import { installSignature } from '@/lib/publishers/contract'
import { count, jsonObject } from '@/lib/values/wire-types'
import { fileOutcome, installId, mode, outcome, recordConflict } from './contract'

const previewedFile = z.object({
  ...fileOutcome,
  kind: z.enum(['type', 'schema', 'entity', 'role', 'policy', 'webhook', 'data']).nullable(),
  planned: z.boolean().meta({ description: 'A content file, which is counted' }),
})

/** What an install would do, file by file. */
const installPreview = z
  .object({
    pluginId: z.string(),
    pluginName: z.string(),
    version: z.string().nullable(),
    installedVersion: z
      .string()
      .nullish()
      .meta({ description: 'Left out when the plugin is not installed' }),
    isDowngrade: z.boolean(),
    signature: installSignature
      .optional()
      .meta({ description: 'Of the archive; a rollback has none' }),
    changes: z.string().optional().meta({
      description: 'What its author says is new in the version, as plain text; left out without it',
    }),
    mode,
    status: z.enum(['SUCCESS', 'PARTIAL', 'FAILED']),
    ...outcome,
    recordCount: count,
    warningCount: count.meta({ description: 'Of all files, at most 100 of each' }),
    seal: z.string().meta({
      description:
        'Covers the archive, the options, the rights of the installer and everything in the database that the plan depends on; with it as `seal` an install runs only while all of these are the same',
    }),
    files: z.array(previewedFile),
  })
  .meta({ id: 'Engine.InstallPreview' })
export type InstallPreview = z.infer<typeof installPreview>

const installResult = {
  pluginId: z.string().nullable(),
  pluginName: z.string().nullable(),
  ...outcome,
}

/** The response to an install: no envelope. */
export const installResponse = z
  .object({
    status: z.int(),
    message: z.string(),
    data: z.object({ history: installId, ...installResult }),
  })
  .meta({ id: 'Engine.InstallResponse' })
export type InstallResponse = z.infer<typeof installResponse>

/** The response to an atomic install that failed, and to requests that can't be carried out, without `data`. */
export const nothingInstalled = z
  .object({
    status: z.int(),
    error: z.string(),
    meta: jsonObject.optional().meta({
      description:
        'Of a refusal: `signature` is what is wrong with the signature of the archive, `archive` in what it is not the one of the index, `confirmation` that the caller confirms who they are first',
    }),
    data: z
      .object({ history: installId, ...installResult })
      .optional()
      .meta({ description: 'With `mode=atomic`: the install failed; the history says why' }),
  })
  .meta({ id: 'Engine.NothingInstalled' })
export type NothingInstalled = z.infer<typeof nothingInstalled>

/** What a data file does to a record. */
const plannedRecord = z
  .object({
    index: z.int().nullable().meta({
      description:
        'In its file; null for records whose key is generated, and those not in the file',
    }),
    key: jsonObject.nullable().meta({ description: 'Null: generated when it is installed' }),
    verdict: z.enum(['created', 'updated', 'unchanged', 'deleted']),
    before: jsonObject.nullable().meta({ description: 'The fields that change; null: created' }),
    after: jsonObject.nullable().meta({ description: 'The fields that change; null: deleted' }),
  })
  .meta({ id: 'Engine.PlannedRecord' })
export type PlannedRecord = z.infer<typeof plannedRecord>

/** The response to `?dryRun=true`: as that of the install, with its plan and without a history. */
export const planResponse = z
  .object({
    status: z.int(),
    message: z.string(),
    data: z.object({
      history: z.null(),
      ...installResult,
      plan: installPreview,
      records: z.array(plannedRecord).optional().meta({ description: 'With `detail=records`' }),
      conflicts: z
        .array(recordConflict)
        .optional()
        .meta({ description: 'With `detail=conflicts`' }),
    }),
    pagination: z
      .object({
        current: count,
        total: count,
        pages: count,
        first: z.boolean(),
        last: z.boolean(),
      })
      .optional()
      .meta({ description: 'Of `data.records` or `data.conflicts`' }),
  })
  .meta({ id: 'Engine.InstallPlan' })
export type PlanResponse = z.infer<typeof planResponse>
