import type { Placement } from '@/lib/db/cluster'
import type { Entity } from '@/lib/definitions/definition'
import { entityIndexes } from '@/lib/definitions/entity-indexes'
import { LOGS } from '@/lib/versions/keep-log'
import { sqlTypeOf } from '../column-spec'
import type { EnforcedReference } from '../plan-references'

/** Where the records of an entity are to be kept; `beside`: the entity whose shards its own are with. */
export type WantedPlacement =
  | { type: 'local' }
  | { type: 'reference' }
  | { type: 'distributed'; by: string; beside: string | null }

/** What decides where an entity is kept: `present` is null for a new one. */
export type PlacedEntity = { entity: Entity; present: Placement | null }

/**
 * What the definition says. Where it says nothing, the records stay where they are, and those of a new entity are local,
 * or with `distributesByKey` distributed where that is possible: not with a history.
 */
export function statedPlacement(
  { entity, present }: PlacedEntity,
  distributesByKey: boolean,
): WantedPlacement {
  const { distribution } = entity.definition
  if (typeof distribution === 'string') return { type: distribution }
  if (distribution)
    return { type: 'distributed', by: distribution.by, beside: distribution.with ?? null }
  if (present?.type === 'reference') return present
  if (present?.type === 'distributed' && (!distributesByKey || isFit(entity, present.by)))
    return { ...present, beside: null }
  if (!distributesByKey || LOGS.some((log) => entity.definition[log])) return { type: 'local' }
  const by = entity.keys.find((key) => isFit(entity, key))
  return by === undefined ? { type: 'reference' } : { type: 'distributed', by, beside: null }
}

const isFit = (entity: Entity, by: string) =>
  whyUnfit(entity, by).length === 0 &&
  !entity.properties.some(
    ({ rules: { reference } }) =>
      reference?.onDelete === 'setNull' && reference.with && by in reference.with,
  )

/**
 * Why the records can't be distributed by one of their keys: only records with the same value of it are on one
 * node, which can guarantee no rule between others.
 */
export function whyUnfit(entity: Entity, by: string): string[] {
  const { name, properties, addedIndexes } = entity
  const sole = properties.filter(({ rules, name: own }) => rules.unique && own !== by)
  const together = [
    ...entityIndexes(entity)
      .filter(({ unique }) => unique)
      .map(({ fields }) => fields),
    ...addedIndexes
      .filter(({ unique }) => unique)
      .map(({ parts }) => parts.map(({ column }) => column)),
  ].filter((fields) => !fields.includes(by))
  const own = properties.filter(({ rules }) => rules.reference?.entity === name)
  const emptied = own.filter(
    ({ rules: { reference } }) => isLinked(reference, by, by) && reference?.onDelete === 'setNull',
  )
  const narrow = properties.filter((one) => one.name === by && sqlTypeOf(one) === 'smallint')
  return [
    // Nodes refuse to look for a value that their column can't hold.
    ...narrow.map(({ type }) => `it is a ${type}, of too few values: make it an integer`),
    ...sole.map(
      (one) =>
        `${one.name} is unique, which no node can tell: make ${one.name} and ${by} unique together, or distribute by ${one.name} as a key`,
    ),
    ...together.map(
      (fields) => `${fields.join(', ')} are unique together, which no node can tell: add ${by}`,
    ),
    ...own
      .filter(({ rules }) => !isLinked(rules.reference, by, by))
      .map(
        (one) =>
          `${one.name} refers to ${name}, whose records are on other nodes: let both hold ${by} ("with"), or make it a reference table`,
      ),
    ...emptied.map(
      ({ name: field }) =>
        `${field} is emptied, which no node does where the reference holds ${by}: leave out "onDelete", or make it a reference table`,
    ),
  ]
}

type Written = Entity['properties'][number]['rules']['reference']

/** Whether a reference holds the column by which either side is distributed. */
const isLinked = (reference: Written, by: string, target: string) =>
  reference?.with?.[by] === target

/** `records`: an estimate; `isRebuilt`: the table has to be local for a while. */
export type Candidate = PlacedEntity & {
  records: number
  isChanged: boolean
  isRebuilt: boolean
}
export type Move = Candidate & { wanted: WantedPlacement }

export type Link = { from: Candidate; to: Candidate; reference: EnforcedReference['reference'] }

export const named = (all: readonly Move[], name: string | null) =>
  all.find(({ entity }) => entity.name === name)
