import type { AddedIndex, AddedPart, IndexKind, IndexUse } from '@/lib/definitions/definition'

/** An index as it is asked for, before it is added. */
export type IndexRequest = Pick<AddedIndex, 'kind' | 'unique' | 'parts'>

/** A field of it as it crosses the wire. */
export const usedFieldOf = ({ field, use, descending }: AddedPart) => ({
  field,
  use,
  direction: descending ? ('desc' as const) : ('asc' as const),
})

type IndexField = { name: string; column: string; path: string[] }

export const partOf = (
  { name, column, path }: IndexField,
  use: IndexUse,
  descending = false,
): AddedPart => ({ field: name, column, path, use, ...(descending ? { descending } : {}) })

export const request = (kind: IndexKind, parts: AddedPart[]): IndexRequest => ({
  kind,
  unique: false,
  parts,
})
