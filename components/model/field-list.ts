import { draftOf, draftsOf, emptyField, type FieldDraft, isChanged } from './field-draft'
import { editedOver, isSame, type WrittenField, type WrittenSchema } from './written'

/** What was edited, in words, a line for each field. */
export function editsOf(fields: readonly FieldDraft[]): string[] {
  return fields.filter(isChanged).map(({ before, isRemoved, name }) => {
    if (!before) return `New field ${name}`
    return `${isRemoved ? 'Remove' : 'Change'} ${before.name}`
  })
}

/** The fields with the one at `at` behind the one of this name; null: first. */
export function placed(
  fields: readonly FieldDraft[],
  at: number,
  after: string | null,
): readonly FieldDraft[] {
  const field = fields[at]
  if (!field) return fields
  const others = fields.filter((_, index) => index !== at)
  const place = after === null ? 0 : 1 + others.findIndex(({ name }) => name === after)
  return [...others.slice(0, place), field, ...others.slice(place)]
}

/** Whether fields that stay are in another order than the schema has them. */
export function isReordered(
  fields: readonly FieldDraft[],
  { properties }: Pick<WrittenSchema, 'properties'>,
): boolean {
  const kept = fields.flatMap(({ before, isRemoved }) => (before && !isRemoved ? before.name : []))
  const former = properties.map(({ name }) => name).filter((name) => kept.includes(name))
  return !isSame(kept, former)
}

/** Edits of fields as they were, over the fields as they are now. */
export function rebased(
  fields: readonly FieldDraft[],
  schema: Pick<WrittenSchema, 'properties'>,
): FieldDraft[] {
  const present = new Map(schema.properties.map((field) => [field.name, field]))
  const kept = fields.flatMap((field): FieldDraft[] => {
    const now = present.get((field.before ?? field).name)
    if (!field.before) return [{ ...emptyField(), ...field, before: now ?? null }]
    if (!now) return []
    return [rebasedField(field, field.before, now)]
  })
  const names = new Set(kept.map(({ name }) => name))
  return [...kept, ...draftsOf(schema).filter(({ name }) => !names.has(name))]
}

const rebasedField = (field: FieldDraft, before: WrittenField, now: WrittenField): FieldDraft => ({
  ...editedOver(field, { ...draftOf(before, before) }, draftOf(now, now)),
  before: now,
})
