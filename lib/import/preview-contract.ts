import { z } from 'zod'
import { faultGroup } from '@/lib/plugins/fault-contract'
import { strictObject } from '@/lib/values/strict-object'
import { count } from '@/lib/values/wire-types'
import { flag, importColumn, importFormat, importQuery } from './contract'

/** How many of the first rows a preview checks. */
export const PREVIEW_ROWS = 100

const { mode, key, format, encoding, delimiter, sheet } = importQuery.shape
const cut = flag(
  'The file is the beginning of a longer one: what is after its last whole row is left out',
)

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
    maxBytes: count.meta({ description: 'The largest file that is imported' }),
    keys: z
      .array(z.array(z.string()))
      .meta({ description: 'The fields by which records can be found, the key first' }),
  })
  .meta({ id: 'Engine.ImportPreview' })
export type ImportPreview = z.infer<typeof previewShape>
