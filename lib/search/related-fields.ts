import {
  QUANTIFIERS,
  type Quantifier,
  RELATED_COUNT,
  RELATED_SUM,
} from '@/lib/definitions/operators'
import { isJsonKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import type { SearchTarget, TargetField } from '@/lib/registry/target'
import { suggestion } from '@/lib/values/nearest'
import { shorten } from '@/lib/values/unknown-name'
import { isOnNodes } from './inverse'
import type { FieldResolver } from './resolve-field'
import type { FieldRef } from './resolved'
import { Joins, type RelatedRows, relatedRows } from './sql-terms'

/** A name that goes on among the records that refer to one: `rest` is a field of them, empty where the name ends. */
export type RelatedStep = {
  quantifier: Quantifier
  rows: RelatedRows
  rest: string
  fieldOf: FieldResolver
}

type Place = {
  target: SearchTarget
  /** The path to the target, and how many references it follows. */
  prefix: string
  followed: number
  own: (field: TargetField) => FieldRef
}

export type Inner = { target: SearchTarget; prefix: string; followed: number; joins: Joins }

/** The relation at the beginning of a name, and what follows it; null where the name begins with none. */
export function relatedStep(
  { target, prefix, followed, own }: Place,
  name: string,
  { most, resolverOf }: { most: number; resolverOf: (inner: Inner) => FieldResolver },
): RelatedStep | FieldRef | { fault: string } | null {
  const [first = '', word, ...rest] = name.split('.')
  const inverse = target.inverse?.find(first) ?? null
  if (!inverse) return null
  const path = prefix + first
  const { target: other } = inverse
  if (followed >= most)
    return { fault: `"${path}" already follows ${most} references, the most that a name can` }
  if (isOnNodes(target, inverse))
    return { fault: `"${path}" can't be searched here: its records are on the nodes of a cluster` }
  const joins = new Joins(other.rule?.joins)
  const rows = relatedRows(
    inverse,
    inverse.pairs.map((pair) => own(pair.own)),
    joins,
  )
  const inner = (word: string): Inner => ({
    ...{ target: other, prefix: `${path}.${word}.`, followed: followed + 1, joins },
  })
  if (word === RELATED_COUNT && rest.length === 0) return countOf(prefix + name, rows)
  if (word === RELATED_SUM)
    return sumOf(prefix + name, rows, resolverOf(inner(RELATED_SUM))(rest.join('.')))
  const quantifier = QUANTIFIERS.find((one) => one === word)
  if (!quantifier)
    return { fault: `${path} are records of ${other.name}: ${howToGoOn(path, word)}` }
  return { quantifier, rows, rest: rest.join('.'), fieldOf: resolverOf(inner(quantifier)) }
}

const countOf = (name: string, figure: RelatedRows): FieldRef => ({
  ...{ name, column: '', path: [], kind: 'integer', isJoined: true, figure },
  nullable: figure.on.some(({ isJoined }) => isJoined),
})

/** Null where no record refers to it. */
function sumOf(
  name: string,
  rows: RelatedRows,
  summed: FieldRef | { fault: string },
): FieldRef | { fault: string } {
  if ('fault' in summed) return summed
  const { words, isSummed } = KINDS[summed.kind]
  if (!isSummed || isJsonKind(summed.kind))
    return { fault: `${RELATED_SUM} does not suit "${shorten(name)}", which is ${words('')}` }
  const figure = { ...rows, summed }
  return { name, column: '', path: [], kind: 'decimal', isJoined: true, figure, nullable: true }
}

function howToGoOn(path: string, word: string | undefined): string {
  const words = [...QUANTIFIERS, RELATED_COUNT, `${RELATED_SUM}.<field>`]
  if (word === undefined) return `go on with ${words.map((one) => `${path}.${one}`).join(', ')}`
  return `"${word}" is none of ${words.join(', ')}${suggestion(word, words)}`
}
