import type { Entity } from '@/lib/definitions/definition'
import type { Inverse } from '@/lib/registry/target'
import type { Json, JsonObject } from '@/lib/values/json'
import { keyCount, type SentList } from '../links/sent-links'
import type { SentElement } from '../read-parts'
import type { ChildList } from './child-lists'

/** Records of a request without their lists, which are written after them. The lists name records by their indexes. */
export type SentRecords<T extends Json = Json> = {
  records: readonly T[]
  lists: readonly SentList[]
  nested: readonly SentChildren[]
}

/** Children that are created, or changed: each with its place in the request and the index of the record to which it belongs. */
export type ChildRecords = SentRecords<JsonObject> & {
  places: readonly string[]
  parents: readonly number[]
}

/** What the records of a request say of their children by one list. */
export type SentChildren = {
  list: ChildList
  /** Of children that are changed and deleted: they are found as their writer reads them. */
  inverse: Inverse | null
  /** The records that have the list, by index. */
  owners: readonly { index: number; pointer: string }[]
  create: ChildRecords
  update: ChildRecords
  remove: readonly (SentElement & { parent: number })[]
}

type Further = Pick<SentRecords, 'lists' | 'nested'>

/** Whether more than the records themselves is to be written. */
export const bringsLists = ({ lists, nested }: Further): boolean =>
  lists.length > 0 || nested.length > 0

/** All lists of linked records, also those of children. */
export const allLinkLists = ({ lists, nested }: Further): SentList[] => [
  ...lists,
  ...nested.flatMap(({ create, update }) => [...allLinkLists(create), ...allLinkLists(update)]),
]

/** The entities of all records that are linked or children. */
export function entitiesBelow(sent: Further): Set<Entity> {
  const linked = allLinkLists(sent).flatMap(({ list: { link, far } }) => [link, far])
  return new Set([...linked, ...childEntities(sent)])
}

const childEntities = ({ nested }: Further): Entity[] =>
  nested.flatMap(({ list, create, update }) => [
    list.entity,
    ...childEntities(create),
    ...childEntities(update),
  ])

/** The number of children in all. */
const childCount = ({ nested }: Further): number =>
  nested.reduce(
    (sum, { create, update, remove }) =>
      sum + remove.length + [create, update].reduce((of, one) => of + recordCount(one), 0),
    0,
  )

export const recordCount = (sent: SentRecords): number => sent.records.length + childCount(sent)

export const linkCount = (sent: Further): number => keyCount(allLinkLists(sent))
