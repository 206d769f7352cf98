import { type ExactJson, exactJsonText } from '@/lib/values/exact-json'

/** The fields of a record, without its `persistenceId`. */
export type LiveValues = Record<string, ExactJson>

/** A change of a record, or of many, as the feed of changes has it. */
export type LiveChange = {
  entity: string
  action: 'created' | 'updated' | 'deleted' | 'entered' | 'left' | 'many'
  /** Null for many. */
  key: string | null
  fields: string[]
  before: LiveValues | null
  after: LiveValues | null
  by: { type: string | null; name: string | null } | null
  cause: { requestId: string | null }
}

/** With null for those of `fields` that have no value, which the feed leaves out. */
export const withEmpty = (values: LiveValues, fields: readonly string[]): LiveValues => ({
  ...Object.fromEntries(fields.map((field) => [field, null])),
  ...values,
})

/** The fields of `before` that have another value in `after`, as far as that has them. */
export const differingFields = (before: LiveValues, after: LiveValues): string[] =>
  Object.keys(before).filter(
    (field) => field in after && exactJsonText(before[field]) !== exactJsonText(after[field]),
  )
