import type { FileDetail } from '@/lib/definitions/definition-faults'
import { type Link, type Move, named } from './resolve-placement'

/** Nodes can only check references whose both sides they have. */
export function linkFaults(links: readonly Link[], all: readonly Move[]): FileDetail[] {
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
  if (wanted.type === 'distributed' && onDelete === 'setNull' && columns.includes(wanted.by))
    return `and is emptied with it, which no node does where the reference holds ${wanted.by}, by which the records are distributed: leave out "onDelete", say "cascade", or distribute by another key`
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
