import { withoutFields } from './entity-display'
import { type EntityDraft, editedEntity, editedHead, entityDraftOf } from './entity-draft'
import { draftsOf, type FieldDraft, isChanged } from './field-draft'
import { editsOf, isReordered, rebased } from './field-list'
import { editedOver, isSame, type WrittenEntity, type WrittenSchema } from './written'
import { editedFields } from './written-field'

/** An entity and its schema as they are edited. */
export type ModelDraft = { entity: EntityDraft; fields: readonly FieldDraft[] }

/** What is edited, and of whom. */
export type ModelBase = { entity: WrittenEntity; schema: WrittenSchema }

export const modelDraftOf = ({ entity, schema }: ModelBase): ModelDraft => ({
  entity: entityDraftOf(entity, schema),
  fields: draftsOf(schema),
})

/** The definitions that were edited, as they are to be. */
export function editedModel(base: ModelBase, draft: ModelDraft) {
  const { entity, fields } = settled(draft)
  const former = entityDraftOf(base.entity, base.schema)
  const edited = editedEntity(base.entity, entity, former)
  const isNamed = edited.engineSchema === undefined && base.schema.name === base.entity.name
  const head = editedHead(base.schema, entity, former)
  const schema = {
    ...head,
    ...(isNamed ? { name: edited.name } : {}),
    properties: areEdited(fields, base.schema) ? editedFields(fields) : head.properties,
  }
  return {
    entities: isSame(edited, base.entity) ? [] : [edited],
    schemas: isSame(schema, base.schema) ? [] : [schema],
  }
}

/** Indexes, rules and parts of the display go with the fields that they name. */
function settled({ entity, fields }: ModelDraft): ModelDraft {
  const removed = new Set(fields.filter(({ isRemoved }) => isRemoved).map(({ name }) => name))
  const indexes = entity.indexes.filter((index) => !index.fields.some((name) => removed.has(name)))
  const display = withoutFields(entity.display, removed)
  return { entity: { ...entity, indexes, display }, fields }
}

const areEdited = (fields: readonly FieldDraft[], schema: WrittenSchema) =>
  fields.some(isChanged) || isReordered(fields, schema)

export const isEdited = (base: ModelBase, draft: ModelDraft): boolean =>
  areEdited(draft.fields, base.schema) ||
  !isSame(draft.entity, entityDraftOf(base.entity, base.schema))

const PARTS: Partial<Record<keyof EntityDraft, string>> = {
  label: 'Change the title',
  description: 'Change the description',
  keys: 'Change the key',
  indexes: 'Change indexes and rules across fields',
  logs: 'Change what is kept of changes',
  isLink: 'Change whether its records link two others',
  insertDuplicate: 'Change what files do to existing records',
  updateStrategy: 'Change how records are updated',
  permissions: 'Change the permitted actions',
  display: 'Change how records are shown',
  isOpen: 'Change what happens to undeclared fields',
}

/** What was edited, in words. */
export function modelEdits(base: ModelBase, draft: ModelDraft): string[] {
  const { entity, fields } = settled(draft)
  const former = entityDraftOf(base.entity, base.schema)
  const parts = Object.entries(PARTS) as [keyof EntityDraft, string][]
  return [
    ...editsOf(fields),
    ...(isReordered(fields, base.schema) ? ['Change the order of the fields'] : []),
    ...parts.filter(([part]) => !isSame(entity[part], former[part])).map(([, words]) => words),
  ]
}

/** Edits of definitions as they were, `former`, over the definitions as they are now. */
export function rebasedModel({ draft, former }: KeptModel, base: ModelBase): ModelDraft {
  return {
    entity: editedOver(draft.entity, former, entityDraftOf(base.entity, base.schema)),
    fields: rebased(draft.fields, base.schema),
  }
}

/** As edits are kept in the browser, with what they were made to. */
export type KeptModel = { draft: ModelDraft; former: EntityDraft }
