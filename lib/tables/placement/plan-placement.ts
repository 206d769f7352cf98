import type { Cluster, Placement } from '@/lib/db/cluster'
import type { FileDetail } from '@/lib/definitions/definition-faults'
import { LOGS } from '@/lib/versions/keep-log'
import type { EnforcedReference } from '../plan-references'
import { isSameTable } from '../renames/renamed-table'
import { linkFaults } from './link-faults'
import {
  type Candidate,
  type Link,
  type Move,
  named,
  statedPlacement,
  type WantedPlacement,
  whyUnfit,
} from './resolve-placement'

/** More are too many to be written to every node, unless the definition says so. */
export const MAX_REFERENCE_RECORDS = 1_000_000

/**
 * Which entities are to be moved, in order: those that others refer to, or are kept beside, first. What distributed
 * records refer to becomes a reference table where its definition says nothing and it is small. `adjoining`: those
 * of local records that refer to reference tables. Pure.
 */
export function planPlacement(
  candidates: readonly Candidate[],
  references: readonly EnforcedReference[],
  { distributesByKey }: Pick<Cluster, 'distributesByKey'>,
): { moves: Move[]; adjoining: Move[]; faults: FileDetail[] } {
  const wanted = new Map(
    candidates.map((one) => [one.entity.name, statedPlacement(one, distributesByKey)]),
  )
  const links = linksBetween(candidates, references)
  const silent = ({ entity }: Candidate) => entity.definition.distribution === undefined
  // A reference table may itself refer to others.
  for (let again = true; again; ) {
    again = false
    for (const { from, to } of links) {
      const isNeeded = wanted.get(from.entity.name)?.type !== 'local' && silent(to)
      if (!isNeeded || wanted.get(to.entity.name)?.type === 'reference') continue
      wanted.set(to.entity.name, { type: 'reference' })
      again = true
    }
  }
  const all = candidates.map((one) => ({ ...one, wanted: wanted.get(one.entity.name) ?? LOCAL }))
  const moves = inOrder(withCompanions(all.filter(isMove(all)), all))
  const affected = all.filter((one) => one.isChanged || named(moves, one.entity.name))
  const adjoining = all.filter((one) => one.wanted.type === 'local' && isAdjoining(one, links, all))
  return {
    moves,
    adjoining,
    faults: [...affected.flatMap(ownFaults(all)), ...linkFaults(links, all)],
  }
}

/** Whether local records refer to such as are on every node: then Citus runs their statements as those of a shard. */
const isAdjoining = ({ entity }: Move, links: readonly Link[], all: readonly Move[]) =>
  links.some(
    ({ from, to }) =>
      from.entity.name === entity.name && named(all, to.entity.name)?.wanted.type === 'reference',
  )

const LOCAL: WantedPlacement = { type: 'local' }

const linksBetween = (
  candidates: readonly Candidate[],
  references: readonly EnforcedReference[],
): Link[] =>
  references.flatMap(({ table, reference }) => {
    const from = candidates.find(({ entity }) => isSameTable(entity.table, table))
    const to = candidates.find(({ entity }) => isSameTable(entity.table, reference.target))
    return from && to && from !== to ? [{ from, to, reference }] : []
  })

/** Whether the records are elsewhere than they are to be. */
const isMove =
  (all: readonly Move[]) =>
  ({ present, wanted, isChanged, isRebuilt, entity }: Move): boolean => {
    if (!present) return wanted.type !== 'local'
    if (isRebuilt && present.type !== 'local') return true
    if (wanted.type !== 'distributed' || present.type !== 'distributed')
      return wanted.type !== present.type
    if (!isChanged || entity.definition.distribution === undefined) return false
    const beside = named(all, wanted.beside)?.present
    const isBeside = !beside || colocationOf(beside) === present.colocation
    return wanted.by !== present.by || !isBeside
  }

/** What is kept with an entity that moves moves too, so that it stays with it. */
function withCompanions(moves: readonly Move[], all: readonly Move[]): Move[] {
  const moving = new Map(moves.map((move) => [move.entity.name, move]))
  for (let again = true; again; ) {
    again = false
    for (const one of all) {
      const { wanted, present, entity } = one
      const isWith = wanted.type === 'distributed' && moving.has(wanted.beside ?? '')
      if (!isWith || !present || moving.has(entity.name)) continue
      moving.set(entity.name, { ...one, isRebuilt: true })
      again = true
    }
  }
  return [...moving.values()]
}

const colocationOf = (placement: Placement) =>
  placement.type === 'distributed' ? placement.colocation : null

const inOrder = (moves: readonly Move[]): Move[] => {
  const rank = (move: Move): number =>
    move.wanted.type === 'distributed' ? 1 + colocatedWith(moves, move).length : 0
  return moves.toSorted((a, b) => rank(a) - rank(b))
}

/** The entities that one is kept with, each with the next; the last comes again where they form a circle. */
function colocatedWith(all: readonly Move[], move: Move): string[] {
  const names: string[] = []
  for (let at: Move | undefined = move; at?.wanted.type === 'distributed'; ) {
    const { beside } = at.wanted
    const next = named(all, beside)
    if (!next || beside === null || next === at) break
    names.push(beside)
    if (names.indexOf(beside) < names.length - 1) break
    at = next
  }
  return names
}

/** The names from an entity back to itself, each kept with the next; null when there is no circle. */
function circleOf(all: readonly Move[], move: Move): string[] | null {
  const { name } = move.entity
  const colocated = colocatedWith(all, move)
  const end = colocated.indexOf(name)
  return end < 0 ? null : [name, ...colocated.slice(0, end + 1)]
}

const ownFaults =
  (all: readonly Move[]) =>
  (move: Move): FileDetail[] => {
    const { entity, wanted, records } = move
    const { name, definition } = entity
    const log = LOGS.find((one) => definition[one])
    if (log && wanted.type !== 'local')
      return [
        {
          message: `${name} keeps ${WHAT[log]}, which triggers write on the coordinator: leave out "${log}", or keep its records there ("distribution": "local")`,
          pointer: `/${log}`,
        },
      ]
    if (wanted.type === 'reference' && definition.distribution === undefined) {
      if (records <= MAX_REFERENCE_RECORDS) return []
      return [
        {
          message: `Distributed records refer to ${name}, which has about ${records}: more than ${MAX_REFERENCE_RECORDS} become a reference table only if its definition says "distribution": "reference"`,
        },
      ]
    }
    if (wanted.type !== 'distributed') return []
    const pointer = '/distribution'
    const unfit = whyUnfit(entity, wanted.by).map((message) => ({
      message: `${name} can't be distributed by ${wanted.by}: ${message}`,
      pointer,
    }))
    const circle = circleOf(all, move)
    if (circle)
      return [
        {
          pointer: '/distribution/with',
          message: `${circle.join(' is to be with ')}: one of them must be distributed by itself`,
        },
      ]
    return [...unfit, ...besideFaults(entity, wanted, named(all, wanted.beside))]
  }

function besideFaults(
  { name, properties }: Candidate['entity'],
  { by, beside }: WantedPlacement & { type: 'distributed' },
  other: Move | undefined,
): FileDetail[] {
  if (beside === null) return []
  const pointer = '/distribution/with'
  if (other?.wanted.type !== 'distributed')
    return [{ pointer, message: `${name} is to be kept with ${beside}, which is not distributed` }]
  const column = other.wanted.by
  const kindOf = (all: typeof properties, field: string) =>
    all.find((one) => one.name === field)?.kind
  const [own, besides] = [kindOf(properties, by), kindOf(other.entity.properties, column)]
  if (own === besides) return []
  return [
    {
      pointer,
      message: `${by} of ${name} is ${own}, ${column} of ${beside} is ${besides}: only equal types are kept together`,
    },
  ]
}

const WHAT = { history: 'a history', events: 'events' }
