import { z } from 'zod'
import { entityDisplay, fieldDisplay } from '@/lib/definitions/display-contract'
import { OPERATOR_NAMES } from '@/lib/definitions/operators'
import { LANGUAGES, WEIGHTS } from '@/lib/definitions/text-search'
import { KIND_NAMES } from '@/lib/kinds/kind'
import { jsonValue } from '@/lib/values/wire-types'

const reference = z.object({
  entity: z.string(),
  field: z.string(),
  with: z.record(z.string(), z.string()).optional().meta({
    description:
      'Further fields that identify the record together with this one: own names to those of the target',
  }),
  onDelete: z
    .enum(['cascade', 'setNull'])
    .optional()
    .meta({ description: 'Absent: records that refer to another prevent its deletion' }),
  inverse: z.string().optional().meta({ description: 'What its other direction is called' }),
})

/** The limits on values of a field. */
const rules = z
  .object({
    required: z.boolean(),
    unique: z.boolean(),
    indexed: z.boolean(),
    searchable: z.boolean(),
    textSearch: z
      .object({ weight: z.enum(WEIGHTS), language: z.enum(LANGUAGES) })
      .meta({ description: 'The text search of the entity looks in it' }),
    default: jsonValue,
    computed: z.string().meta({ description: 'Of other fields; the field is read-only' }),
    generates: z
      .enum(['now', 'uuid'])
      .meta({ description: 'The default is made when a record is stored' }),
    length: z.int(),
    minLength: z.int(),
    maxLength: z.int(),
    min: z.number(),
    max: z.number(),
    pattern: z.string().meta({ description: 'In RE2 syntax' }),
    enum: z.array(jsonValue),
    format: z.string(),
    contentMediaType: z.string().meta({
      description: 'What the text is written in, such as `text/markdown`; it is not checked',
    }),
    reference,
  })
  .partial()

/** A field as a filter builder or a form needs it. */
export const columnDescription = z
  .object({
    name: z.string(),
    label: z.string().nullable(),
    description: z.string().nullable(),
    type: z.string().meta({ description: 'As declared; `json` for undeclared fields' }),
    kind: z.enum(KIND_NAMES),
    key: z.boolean(),
    declared: z
      .boolean()
      .meta({ description: 'Part of the schema; the others were only seen in records' }),
    hidden: z.boolean().meta({ description: 'Returned only when `fields` names it' }),
    operators: z.array(z.enum(OPERATOR_NAMES)),
    display: fieldDisplay.optional().meta({
      description: 'How people see the values; absent: the definition says nothing',
    }),
    rules,
    readOnlyFor: z
      .array(z.enum(['write', 'update']))
      .optional()
      .meta({
        description:
          'The actions by which your policies let you give it no value, or set it themselves; absent: there is none such',
      }),
    setFor: z
      .array(z.enum(['write', 'update']))
      .optional()
      .meta({
        description: 'The actions by which your policies give it a value, whatever is sent',
      }),
  })
  .meta({ id: 'Engine.Column' })
export type ColumnDescription = z.infer<typeof columnDescription>

const referringField = z
  .object({
    entity: z.string().meta({ description: 'The entity that refers' }),
    field: z.string(),
    label: z.string().nullable().meta({ description: 'Of the field' }),
    reference,
    relation: z.string().optional().meta({
      description:
        'What the referring records are called in conditions and `expand` of this entity; absent where they can not be followed',
    }),
    loose: z.string().optional().meta({
      description: 'Why the reference is not enforced: deletions leave it as it is',
    }),
  })
  .meta({ id: 'Engine.ReferringField' })
/** A field of an entity that refers to another one. */
export type ReferringField = z.infer<typeof referringField>

const linkedEntity = z
  .object({
    relation: z.string().meta({
      description:
        'What the list is called in conditions, `expand` and the records that are written',
    }),
    entity: z.string().meta({ description: 'Whose records are listed' }),
    link: z.string().meta({ description: 'The entity between, which links them' }),
    field: z.string().meta({ description: 'Of the link: the reference to this entity' }),
    to: z.string().meta({ description: 'Of the link: the reference to the other entity' }),
  })
  .meta({ id: 'Engine.LinkedEntity' })
/** A list of records of another entity, or of the same, that each record has by a link. */
export type LinkedEntity = z.infer<typeof linkedEntity>

export const columnsMeta = z.object({
  display: entityDisplay
    .optional()
    .meta({ description: 'How people see the records; absent: the definition says nothing' }),
  referencedBy: z
    .array(referringField)
    .meta({ description: 'The fields that refer to this entity, of entities you may read' }),
  links: z
    .array(linkedEntity)
    .meta({ description: 'The lists of linked records, of entities you may read' }),
})
