import type { FieldCondition } from './condition'
import type { FilterField } from './field'
import { asksOf } from './relation'

/** A query of something that conditions need to be understood. */
type Fetched<T> = {
  queryKey: readonly unknown[]
  queryFn: () => Promise<T>
  staleTime: number
  retry?: boolean
  retryOnMount?: boolean
}

/** The entity that a field refers to, and how its fields and the names of its records are fetched. */
export type Beyond = {
  entity: string
  fields: Fetched<FilterField[]>
  /** What the record of this value is called; absent where one value does not identify it. */
  title?: (value: string) => Fetched<string | null>
}

/** The fields of entities that conditions lead to, as far as they are known. */
export type KnownEntities = ReadonlyMap<string, readonly FilterField[]>

/** The most references that a name may follow, as in the API. */
export const MAX_FOLLOWED = 3

/** The entities that names lead into, as far as the known ones tell. */
export function entitiesOnTheWay(
  fields: readonly FilterField[],
  names: readonly string[],
  known: KnownEntities,
): Beyond[] {
  const found = names.flatMap((name) => {
    const ways = waysOf(fields, name, known)
    const target = targetOf(ways)
    const passed = [...ways.map(({ field }) => field), ...(target?.related ? [target] : [])]
    return passed.flatMap(({ beyond }) => beyond ?? [])
  })
  return [...new Map(found.map((beyond) => [beyond.entity, beyond])).values()]
}

type Way = { field: FilterField; further: readonly FilterField[]; rest: string }

/** The references and relations that a name follows, in order; whole names of fields come first, as on the server. */
function waysOf(fields: readonly FilterField[], name: string, known: KnownEntities): Way[] {
  const dot = name.indexOf('.')
  if (dot < 0 || fields.some((field) => field.name === name)) return []
  const field = fields.find((each) => each.name === name.slice(0, dot))
  if (!field?.beyond && !field?.relation) return []
  const rest = name.slice(dot + 1)
  const further = field.relation ? asksOf(field.relation) : (knownBeyond(field, known) ?? [])
  return [{ field, further, rest }, ...waysOf(further, rest, known)]
}

const knownBeyond = ({ beyond }: FilterField, known: KnownEntities) =>
  beyond && known.get(beyond.entity)

/** What the last way leads to, as far as it is known. */
function targetOf(ways: readonly Way[]): FilterField | undefined {
  const last = ways.at(-1)
  return last?.further.find((field) => field.name === last.rest)
}

/** The field of another entity that a name leads to: by its full name, its label says the way. Null while not known. */
export function fieldBeyond(
  fields: readonly FilterField[],
  name: string,
  known: KnownEntities,
): FilterField | null {
  const ways = waysOf(fields, name, known)
  const target = targetOf(ways)
  if (!target) return null
  const labels = [...ways.map(({ field }) => field), target].map((each) => each.label ?? each.name)
  const related = target.related && { ...target.related, fields: knownBeyond(target, known) }
  return { ...target, name, label: labels.join(' › '), isBeyond: true, ...(related && { related }) }
}

/** The values of a condition as texts, for each of which a record may be named. */
export const comparedTexts = ({ value }: FieldCondition): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((each) => each !== undefined && each !== null && each !== '')
    .map(String)
