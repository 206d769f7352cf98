import { type ExactJson, exactJsonText } from '@/lib/values/exact-json'

/** The fields of a record; null where one has no value. */
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
  actor: { type: string | null; name: string | null } | null
  requestId: string | null
}

/** The fields of `before` that have another value in `after`, as far as that has them. */
export const differingFields = (before: LiveValues, after: LiveValues): string[] =>
  Object.keys(before).filter(
    (field) => field in after && exactJsonText(before[field]) !== exactJsonText(after[field]),
  )
