import { z } from 'zod'
import { faultGroup } from '@/lib/archives/fault-contract'
import { undo } from '@/lib/search/contract'
import { count, instant, jsonObject, strictObject } from '@/lib/values/wire-types'

const flag = (description: string) =>
  z.stringbool('must be true or false').default(false).meta({ description })

const modes = z.enum(['create', 'update', 'upsert'], 'must be create, update or upsert')

export const importQuery = strictObject({
  mode: modes.default('create').meta({
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
  undo: undo.meta({
    description:
      'Keep what it replaces for this number of days, such as `7d`, to undo it; needs the right to read',
  }),
})
export type ImportQuery = z.infer<typeof importQuery>

export const importForm = z.object({
  file: z.string().meta({ format: 'binary', description: 'CSV, XLSX, JSON or JSON Lines' }),
  mapping: z.string().optional().meta({
    description:
      'Columns to fields as JSON, `{ "Column": "field", "Other": null }`; null leaves a column out. Without it, columns are found by name and likeness',
  }),
})

const importFormat = z.enum(['csv', 'xlsx', 'json', 'jsonl'])

export const importParams = z.strictObject({ id: z.uuid('is not the id of an import') })

const importColumn = z.object({
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
    mode: modes,
    key: z.array(z.string()).meta({ description: 'The fields by which records are found' }),
    dryRun: z.boolean(),
    partial: z.boolean(),
    columns: z.array(importColumn).meta({ description: 'What each column became' }),
    status: z
      .enum(['WAITING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED', 'UNDONE'])
      .meta({ description: '`UNDONE`: it was done, and all of it was taken back' }),
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
    batchId: z.uuid().nullable().meta({
      description: 'With `undo`, while it can be undone: `POST /api/trash/{batchId}/restore`',
    }),
    createdBy: z.string().meta({ description: 'Email, or name of the API key' }),
    createdAt: instant,
    completedAt: instant.nullable(),
    expiresAt: instant.meta({ description: 'When it is deleted, with its refused rows' }),
  })
  .meta({ id: 'Engine.Import' })
export type Import = z.infer<typeof importShape>

/** How many of the first rows a preview checks. */
export const PREVIEW_ROWS = 100

const { key, format, encoding, delimiter, sheet } = importQuery.shape
const cut = flag(
  'The file is the beginning of a longer one: what is after its last whole row is left out',
)

const mode = modes.optional().meta({
  description:
    'Told by whether the first rows are stored if left out, where the caller may do either',
})

export const previewQuery = strictObject({ mode, key, format, encoding, delimiter, sheet, cut })
export type PreviewQuery = z.infer<typeof previewQuery>

const field = z.object({
  name: z.string(),
  label: z.string().nullable(),
  type: z.string(),
  required: z.boolean().meta({ description: 'A new record needs it' }),
})

/** What a file would become, by its first rows. */
export const previewShape = z
  .object({
    format: importFormat,
    mode: modes.meta({
      description:
        'What was asked for; otherwise `create` where none of the first rows is stored, `update` where all are, and `upsert`',
    }),
    key: z.array(z.string()).meta({
      description: 'The fields by which records are found; none where the file has no such fields',
    }),
    columns: z.array(
      importColumn.extend({
        samples: z.array(z.string()).meta({ description: 'Its first different values, up to 3' }),
      }),
    ),
    rows: count.meta({ description: `How many rows were checked, at most ${PREVIEW_ROWS}` }),
    groups: z
      .array(faultGroup)
      .meta({ description: 'What is wrong with the values of these rows' }),
    fields: z.array(field).meta({ description: 'What columns can be mapped to' }),
    open: z.boolean().meta({ description: 'Columns may become undeclared fields, too' }),
    undoable: z.boolean().meta({ description: 'Whether the caller may ask for `undo`' }),
    maxBytes: count.meta({ description: 'The largest file that is imported' }),
    keys: z
      .array(z.array(z.string()))
      .meta({ description: 'The fields by which records can be found, the key first' }),
  })
  .meta({ id: 'Engine.ImportPreview' })
export type ImportPreview = z.infer<typeof previewShape>

export const proposalQuery = strictObject({ format, encoding, delimiter, sheet, cut })
export type ProposalQuery = z.infer<typeof proposalQuery>

export const proposalForm = z.object({
  file: z.string().meta({ format: 'binary', description: 'CSV, XLSX, JSON or JSON Lines' }),
})

const column = z.object({
  column: z.string(),
  property: z.string().meta({ description: 'Its name in the schema' }),
  samples: z.array(z.string()).meta({ description: 'Its first different values, up to 3' }),
  filled: z.boolean().meta({ description: 'All rows that were read have a value' }),
  unique: z.boolean().meta({ description: 'All values that were read differ' }),
  values: z.array(z.string()).nullable().meta({
    description: 'All values that were read, where a text has few: an `enum` could list them',
  }),
})

/** A definition that fits the rows of a file; nothing is stored. */
export const proposalShape = z
  .object({
    format: importFormat,
    rows: count.meta({ description: 'How many rows were read, at most 20,000' }),
    entity: jsonObject.meta({ description: 'An entity definition, as in `EngineEntities`' }),
    schema: jsonObject.meta({ description: 'A schema definition, as in `EngineSchemas`' }),
    columns: z.array(column),
  })
  .meta({ id: 'Engine.DefinitionProposal' })
export type DefinitionProposal = z.infer<typeof proposalShape>
