import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import type { Validation } from '@/lib/errors'
import { type FieldNaming, placeOf } from '@/lib/rows/field-naming'
import { pointerTo } from '@/lib/rows/record-faults'
import type { Json, JsonObject } from '@/lib/values/json'
import { MAX_RECORDS } from '../contract'
import { requireNone, takeLists } from '../links/sent-links'
import type { SentElement } from '../read-parts'
import { requireAllowed } from '../require-allowed'
import { takeFields } from '../take-fields'
import {
  type ChildList,
  childLists,
  requireOwnValues,
  requireReadableChildren,
} from './child-lists'
import { located } from './located'
import { readChildren } from './read-children'
import {
  type ChildRecords,
  linkCount,
  recordCount,
  type SentChildren,
  type SentRecords,
} from './sent-children'

type Sender = {
  actor: Actor
  naming: FieldNaming
  entities: readonly Entity[]
  /** Whether the records are to be created. */
  isNew: boolean
}

/** The levels of children below the records of a request: those, and their own. */
const MAX_LEVELS = 2

/**
 * Takes the lists of linked records and of children out of `records`. Throws `invalid_input` for what is none, and for more than
 * `MAX_RECORDS`, `forbidden` without the rights that they need.
 */
export function takeNested<T extends Json>(
  entity: Entity,
  records: readonly T[],
  sender: Sender,
): SentRecords<T> {
  const sent = takeLevel(entity, records, sender, MAX_LEVELS)
  const [first] = sent.nested.flatMap(({ owners }) => owners)
  if (!first) return sent
  const field = first.pointer
  if (recordCount(sent) > MAX_RECORDS)
    requireNone([{ field, error: `At most ${MAX_RECORDS} records a request, with their children` }])
  if (linkCount(sent) > MAX_RECORDS)
    requireNone([{ field, error: `At most ${MAX_RECORDS} keys of linked records a request` }])
  return sent
}

function takeLevel<T extends Json>(
  entity: Entity,
  records: readonly T[],
  sender: Sender,
  levels: number,
): SentRecords<T> {
  const { records: unlinked, lists } = takeLists(entity, records, sender)
  const faults: Validation[] = []
  const drafts = new Map<ChildList, Draft>()
  const known = childLists(entity, sender.entities)
  const rest = takeFields(unlinked, known, (index, list, value) => {
    const pointer = `${placeOf(sender.naming, index)}${pointerTo(list.name)}`
    const read = levels > 0 ? readChildren(value, pointer, sender.isNew) : tooDeep(pointer)
    if (Array.isArray(read)) return append(faults, read)
    const draft = drafts.get(list) ?? emptyDraft(list)
    drafts.set(list, draft)
    draft.owners.push({ index, pointer })
    const own = <C>(children: C[]) => children.map((child) => ({ ...child, parent: index }))
    append(draft.create, own(read.create))
    append(draft.update, own(read.update))
    append(draft.remove, own(read.remove))
  })
  requireNone(faults)
  const nested = [...drafts.values()].map((draft) => takeChildren(entity, draft, sender, levels))
  return { records: rest, lists, nested }
}

/** However many there are: arguments of a call are limited. */
function append<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one)
}

const tooDeep = (field: string): Validation[] => [
  {
    field,
    error: `Children nest ${MAX_LEVELS} levels deep at most: write these by a request of their own`,
  },
]

type Entry = { record: JsonObject; pointer: string; parent: number }

type Draft = {
  list: ChildList
  owners: { index: number; pointer: string }[]
  create: Entry[]
  update: Entry[]
  remove: (SentElement & { parent: number })[]
}

const emptyDraft = (list: ChildList): Draft => ({
  ...{ list, owners: [], create: [], update: [], remove: [] },
})

function takeChildren(entity: Entity, draft: Draft, sender: Sender, levels: number): SentChildren {
  const { list, owners, remove } = draft
  const inverse = located(owners[0]?.pointer, () => requireChildren(entity, draft, sender))
  const level = (entries: Entry[], isNew: boolean): ChildRecords => {
    const places = entries.map(({ pointer }) => pointer)
    const records = entries.map(({ record }) => record)
    const below = { ...sender, naming: places, isNew }
    const parents = entries.map(({ parent }) => parent)
    return { ...takeLevel(list.entity, records, below, levels - 1), places, parents }
  }
  const [create, update] = [level(draft.create, true), level(draft.update, false)]
  return { list, inverse, owners, create, update, remove }
}

/** Throws `forbidden` without the rights that writing the children needs, whatever they are. */
function requireChildren(entity: Entity, draft: Draft, sender: Sender) {
  const { list, create, update, remove } = draft
  requireOwnValues(entity, list, sender)
  if (create.length > 0) requireAllowed(sender.actor, list.entity, 'write')
  if (update.length > 0) requireAllowed(sender.actor, list.entity, 'update')
  if (remove.length > 0) requireAllowed(sender.actor, list.entity, 'delete')
  const isFound = update.length > 0 || remove.length > 0
  return isFound ? requireReadableChildren(entity, list, sender) : null
}
