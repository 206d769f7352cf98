import { z } from 'zod'
import { faultGroup } from '@/lib/plugins/fault-contract'
import { strictObject } from '@/lib/values/strict-object'
import { count, instant } from '@/lib/values/wire-types'

export const flag = (description: string) =>
  z.stringbool('must be true or false').default(false).meta({ description })

export const importQuery = strictObject({
  mode: z
    .enum(['create', 'update', 'upsert'], 'must be create, update or upsert')
    .default('create')
    .meta({
      description:
        '`create` refuses rows whose key is stored, `update` those whose record is not; `upsert` does either. Changes concern the columns of the file alone',
    }),
  key: z.string().optional().meta({
    description:
      'With `update` and `upsert`: the fields by which records are found, separated by commas: the key of the entity (default), or others that are unique',
  }),
  dryRun: flag('Check all rows and store nothing'),
  partial: flag('Store the good rows where others are refused; otherwise all are stored or none'),
  unknownColumns: z.enum(['fail', 'ignore'], 'must be fail or ignore').default('fail').meta({
    description: 'What happens to columns that belong to no field',
  }),
  format: z
    .enum(['csv', 'xlsx', 'json', 'jsonl'], 'must be csv, xlsx, json or jsonl')
    .optional()
    .meta({ description: 'Told by the name of the file and its beginning if left out' }),
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']).optional().meta({
    description: 'Of CSV, JSON and JSON Lines: UTF-8, or what a byte order mark says, if left out',
  }),
  delimiter: z
    .string()
    .regex(/^[^"\r\n]$/, 'must be one character')
    .optional()
    .meta({ description: 'Of CSV: told by the first line (also by `sep=;`) if left out' }),
  sheet: z.string().max(31).optional().meta({ description: 'Of XLSX: the first one if left out' }),
})
export type ImportQuery = z.infer<typeof importQuery>

export const importForm = z.object({
  file: z.string().meta({ format: 'binary', description: 'CSV, XLSX, JSON or JSON Lines' }),
  mapping: z.string().optional().meta({
    description:
      'Columns to fields as JSON, `{ "Column": "field", "Other": null }`; null leaves a column out. Without it, columns are found by name and likeness',
  }),
})

export const importFormat = z.enum(['csv', 'xlsx', 'json', 'jsonl'])

export const importParams = z.strictObject({ id: z.uuid('is not the id of an import') })

export const importColumn = z.object({
  column: z.string(),
  field: z.string().nullable().meta({ description: 'Null: the column is left out' }),
  by: z.enum(['name', 'likeness', 'mapping', 'ignored']),
  reason: z.string().nullable().meta({ description: 'Why it is left out' }),
})

/** An import of a file into an entity. */
export const importShape = z
  .object({
    id: z.uuid(),
    entity: z.string(),
    fileName: z.string(),
    format: importFormat,
    mode: z.enum(['create', 'update', 'upsert']),
    key: z.array(z.string()).meta({ description: 'The fields by which records are found' }),
    dryRun: z.boolean(),
    partial: z.boolean(),
    columns: z.array(importColumn).meta({ description: 'What each column became' }),
    status: z.enum(['WAITING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED']),
    error: z.string().nullable().meta({ description: 'Why it failed' }),
    doneBytes: count,
    totalBytes: count,
    doneRows: count,
    created: count.meta({ description: 'Records; of a dry run, those that would be created' }),
    updated: count,
    unchanged: count,
    refused: count.meta({ description: 'Rows that can not be stored' }),
    refusedRows: count.meta({
      description: 'Rows in the file of refused rows, which holds the first 64 MiB of them',
    }),
    groups: z
      .array(faultGroup)
      .meta({ description: 'The faults by rule, the most frequent first' }),
    createdBy: z.string().meta({ description: 'E-mail, or name of the API key' }),
    createdAt: instant,
    completedAt: instant.nullable(),
    expiresAt: instant.meta({ description: 'When it is deleted, with its refused rows' }),
  })
  .meta({ id: 'Engine.Import' })
export type Import = z.infer<typeof importShape>
