import type { Cluster, Placement } from '@/lib/db/cluster'
import type { FileDetail } from '@/lib/definitions/file-detail'
import type { EnforcedReference } from '../plan-references'
import { isSameTable } from '../renames/renamed-table'
import {
  type PlacedEntity,
  statedPlacement,
  type WantedPlacement,
  whyUnfit,
} from './resolve-placement'

/** `records`: an estimate; `isRebuilt`: the table has to be local for a while. */
export type Candidate = PlacedEntity & {
  records: number
  isChanged: boolean
  isRebuilt: boolean
}
export type Move = Candidate & { wanted: WantedPlacement }

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
  const moves = inOrder(all.filter(isMove(all)))
  const affected = all.filter((one) => one.isChanged || moves.includes(one))
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

type Link = { from: Candidate; to: Candidate; reference: EnforcedReference['reference'] }

const linksBetween = (
  candidates: readonly Candidate[],
  references: readonly EnforcedReference[],
): Link[] =>
  references.flatMap(({ table, reference }) => {
    const from = candidates.find(({ entity }) => isSameTable(entity.table, table))
    const to = candidates.find(({ entity }) => isSameTable(entity.table, reference.target))
    return from && to && from !== to ? [{ from, to, reference }] : []
  })

const named = (all: readonly Move[], name: string | null) =>
  all.find(({ entity }) => entity.name === name)

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

const colocationOf = (placement: Placement) =>
  placement.type === 'distributed' ? placement.colocation : null

const inOrder = (moves: readonly Move[]): Move[] => {
  const rank = ({ wanted }: Move) =>
    wanted.type !== 'distributed' ? 0 : wanted.beside === null ? 1 : 2
  return moves.toSorted((a, b) => rank(a) - rank(b))
}

const ownFaults =
  (all: readonly Move[]) =>
  ({ entity, wanted, records }: Move): FileDetail[] => {
    const { name, definition } = entity
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
  const [own, theirs] = [kindOf(properties, by), kindOf(other.entity.properties, column)]
  if (own === theirs) return []
  return [
    {
      pointer,
      message: `${by} of ${name} is ${own}, ${column} of ${beside} is ${theirs}: only equal types are kept together`,
    },
  ]
}

/** Nodes can only check references whose both sides they have. */
function linkFaults(links: readonly Link[], all: readonly Move[]): FileDetail[] {
  return links.flatMap(({ from, to, reference }) => {
    const [source, target] = [named(all, from.entity.name), named(all, to.entity.name)]
    if (!source || !target) return []
    const why = whyUnchecked(
      source,
      target,
      reference,
      groupOf(all, source) === groupOf(all, target),
    )
    if (why === null) return []
    const field = reference.columns[0]
    const message = `${field} of ${source.entity.name} refers to ${target.entity.name}, ${why}`
    return [{ message, pointer: '/distribution' }]
  })
}

function whyUnchecked(
  { entity, wanted }: Move,
  { entity: target, wanted: other }: Move,
  { columns, fields, onDelete }: Link['reference'],
  isTogether: boolean,
): string | null {
  if (wanted.type === 'distributed' && onDelete === 'setNull' && columns[0] === wanted.by)
    return `and is emptied with it, but the records are distributed by it`
  if (other.type === 'reference' || wanted.type === other.type) {
    if (wanted.type !== 'distributed' || other.type !== 'distributed') return null
    const at = columns.indexOf(wanted.by)
    return isTogether && at >= 0 && fields[at] === other.by
      ? null
      : `which is distributed elsewhere: keep them together by the same key ("with": "${target.name}", and a reference that holds it), or make ${target.name} a reference table`
  }
  if (other.type === 'distributed')
    return `which is distributed: make ${target.name} a reference table, or distribute ${entity.name} with it`
  return `which is local: make it a reference table`
}

/** The same for entities whose records of equal values are on one node. */
function groupOf(all: readonly Move[], one: Move): string | number {
  const { present, wanted, entity } = one
  const stated = entity.definition.distribution
  if (stated === undefined && present?.type === 'distributed') return present.colocation
  const beside = wanted.type === 'distributed' ? named(all, wanted.beside) : undefined
  return beside && beside !== one
    ? groupOf(
        all.filter((other) => other !== one),
        beside,
      )
    : entity.name
}
