import { z } from 'zod'
import { strictObject } from '@/lib/values/strict-object'
import { count, jsonObject } from '@/lib/values/wire-types'
import { importFormat } from './contract'
import { previewQuery } from './preview-contract'

const { format, encoding, delimiter, sheet, cut } = previewQuery.shape

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
