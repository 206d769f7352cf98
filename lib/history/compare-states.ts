import { isDeepStrictEqual } from 'node:util'
import type { Json } from '@/lib/values/json'
import type { State } from './state'

export type FieldChange = { field: string; before?: Json; after?: Json }

/** The fields that differ between two states of a record, null where there is none. */
export function compareStates(
  before: Pick<State, 'fields'> | null,
  after: Pick<State, 'fields'> | null,
): FieldChange[] {
  const names = new Set([...(before?.fields.keys() ?? []), ...(after?.fields.keys() ?? [])])
  return [...names].flatMap((field) => {
    const [old, now] = [before?.fields.get(field), after?.fields.get(field)]
    if (isDeepStrictEqual(old, now)) return []
    return {
      field,
      ...(old === undefined ? {} : { before: old }),
      ...(now === undefined ? {} : { after: now }),
    }
  })
}
