import type { PreparedRow } from '@/lib/rows/prepared-row'
import type { JsonObject } from '@/lib/values/json'
import type { LinkWriting } from '../links/write-links'
import type { ChildRecords, SentChildren } from './sent-children'

/** What records of a request bring along, and who writes it. */
export type NestedWriting = LinkWriting & { nested: readonly SentChildren[] }

/** The fields of children that refer to a record and their values, by the index of the record. */
export type Owners = ReadonlyMap<number, JsonObject>

/** Children as they came, and as they are stored; the names of undeclared fields that are new. */
export type WrittenChildren = { sent: PreparedRow[]; rows: PreparedRow[]; newExtraFields: string[] }

export const NO_CHILDREN: WrittenChildren = { sent: [], rows: [], newExtraFields: [] }

/** The values by which the child at this position refers to its record. */
export function ownerOf({ parents }: ChildRecords, at: number, owners: Owners): JsonObject {
  const owner = owners.get(parents[at] ?? -1)
  if (!owner) throw new Error('A record with children was not stored')
  return owner
}
