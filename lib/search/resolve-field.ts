import { isJsonKind, isPlaceKind } from '@/lib/kinds/kind'
import type { Mask, SearchTarget, TargetField } from '@/lib/registry/target'
import type { Json } from '@/lib/values/json'
import { isStorableText } from '@/lib/values/storable'
import { shorten, unknownName } from '@/lib/values/unknown-name'
import { type Inner, relatedStep } from './related-fields'
import type { FieldRef } from './resolved'
import { Joins, joinedRef } from './sql-terms'
import type { Words } from './text-search'

/** Name of a record's identity in responses; with one key it can be searched like the key itself. */
export const ID_FIELD = 'persistenceId'

const MAX_PATH = 20
/** The longest path; every dot in it is tried as the end of a name. */
const MAX_NAME_CHARS = 2000

/** Looks names up in one target; for an unknown one returns a sentence that says so. */
export type FieldResolver = {
  (name: string): FieldRef | { fault: string }
  /** Reads what a text search asks; absent where there is none. */
  words?: (text: Json | undefined) => Words | { fault: string }
  /** The records that refer to one, where a name goes on among them. */
  related: (name: string) => ReturnType<typeof relatedStep>
}

/** The most references that one name may follow, one after another. */
export const MAX_FOLLOWED = 3

/**
 * Fields by their exact names, undeclared fields, dotted paths into JSON, and fields of referred
 * records, for which `joins` collects the tables. Throws `forbidden` as `follow` of the target does.
 */
export function fieldResolver(target: SearchTarget, joins = new Joins()): FieldResolver {
  const find = resolverIn({ target, prefix: '', followed: 0, refOf: (field) => field }, joins)
  const checked =
    <T>(look: (name: string) => T) =>
    (name: string) =>
      isStorableText(name) ? look(name) : { fault: UNSTORABLE_NAME }
  return Object.assign(checked(find), { related: checked(find.related) })
}

/** A name with these characters can't be sent to the database. */
export const UNSTORABLE_NAME = 'A name holds neither U+0000 nor half of a surrogate pair'

/** A target in which names are looked up, and the path to it. */
type Scope = {
  target: SearchTarget
  prefix: string
  followed: number
  refOf: (field: FieldRef) => FieldRef
}

function resolverIn(scope: Scope, joins: Joins): FieldResolver {
  const { target, prefix } = scope
  const wholeOf = wholeFields(target, scope.followed === 0)
  const beyond = new Map<string, FieldResolver>()

  const find = (name: string): FieldRef | { fault: string } => {
    const found = wholeOf(name)
    if (found) return found
    for (const dot of dotsOf(name)) {
      const base = wholeOf(name.slice(0, dot))
      if (base) return inside(base, prefix, name, name.slice(dot + 1).split('.'))
    }
    const names = [...target.fields.map(({ name }) => name), ...target.extraFields]
    const known = [...names, ...(target.inverse?.names() ?? [])].map((name) => prefix + name)
    return { fault: unknownName('field', prefix + name, known) }
  }

  /** The names of the record that a reference at the beginning of `name` refers to; null where it begins with none. */
  const into = (name: string): FieldResolver | { fault: string } | null => {
    const first = name.slice(0, Math.max(0, name.indexOf('.')))
    const base = target.follow && first ? wholeOf(first) : null
    if (!base || isJsonKind(base.kind)) return null
    const known = beyond.get(first) ?? stepInto(scope, base, joins)
    if (known && !('fault' in known)) beyond.set(first, known)
    return known
  }
  const restOf = (name: string) => name.slice(name.indexOf('.') + 1)

  const step = (name: string): ReturnType<typeof relatedStep> => {
    if (wholeOf(name)) return null
    const inner = into(name)
    if (inner) return 'fault' in inner ? inner : inner.related(restOf(name))
    return relatedStep(place, name, { most: MAX_FOLLOWED, resolverOf })
  }
  const place = { ...scope, own: (field: TargetField) => scope.refOf(fieldRef(field)) }
  const resolverOf = ({ joins: inner, ...beyond }: Inner) =>
    resolverIn({ ...beyond, refOf: (field) => field }, inner)

  const resolve = (name: string): FieldRef | { fault: string } => {
    const found = wholeOf(name) ? find(name) : beyondOf(name)
    if ('fault' in found || found.isJoined) return found
    const shown = prefix + name
    return scope.refOf(found.name === shown ? found : { ...found, name: shown })
  }
  const beyondOf = (name: string): FieldRef | { fault: string } => {
    const inner = into(name)
    if (inner) return 'fault' in inner ? inner : inner(restOf(name))
    const related = step(name)
    if (related === null) return find(name)
    if (!('quantifier' in related)) return related
    return {
      fault: `"${shorten(prefix + name)}" stands for several records: only conditions can name it`,
    }
  }
  const bounded =
    <T>(look: (name: string) => T) =>
    (name: string) =>
      name.length > MAX_NAME_CHARS
        ? { fault: `"${shorten(name)}" is too long for a name` }
        : look(name)
  return Object.assign(bounded(resolve), { related: bounded(step) })
}

function stepInto(
  { target, prefix, followed, refOf }: Scope,
  base: FieldRef,
  joins: Joins,
): FieldResolver | { fault: string } | null {
  const relation = target.follow?.(base.name) ?? null
  if (relation === null || 'fault' in relation) return relation
  const path = prefix + base.name
  if (followed >= MAX_FOLLOWED)
    return {
      fault: `"${path}" already follows ${MAX_FOLLOWED} references, the most that a name can`,
    }
  const others = relation.further.map(({ own }) => refOf(fieldRef(own)))
  const join = joins.add(path, relation, [refOf(base), ...others])
  return resolverIn(
    {
      target: relation.target,
      prefix: `${path}.`,
      followed: followed + 1,
      refOf: (field) => joinedRef(join, field),
    },
    joins,
  )
}

/** Looks up fields by their full names, and `persistenceId` where it can replace the key. */
function wholeFields(target: SearchTarget, hasId: boolean): (name: string) => FieldRef | null {
  const declared = refsOf(target.fields)
  const extra = setOf(target.extraFields)
  const whole = (name: string): FieldRef | null => {
    const field = declared.get(name)
    if (field) return field
    if (extra.has(name) && target.extraColumn)
      return extraRef(name, target.extraColumn, target.extra)
    const [key] = target.keys
    const isOnlyKey = name === ID_FIELD && target.keys.length === 1 && key !== undefined
    return isOnlyKey && hasId ? whole(key) : null
  }
  return whole
}

const fieldRef = ({ hidden: _, ...field }: TargetField): FieldRef => ({ ...field, path: [] })

// The lists of fields are one object as long as the definition and the rule are the same.
const refs = new WeakMap<SearchTarget['fields'], ReadonlyMap<string, FieldRef>>()
const sets = new WeakMap<string[], ReadonlySet<string>>()

function refsOf(fields: SearchTarget['fields']): ReadonlyMap<string, FieldRef> {
  const known = refs.get(fields) ?? new Map(fields.map((one) => [one.name, fieldRef(one)]))
  refs.set(fields, known)
  return known
}

function setOf(names: string[]): ReadonlySet<string> {
  const known = sets.get(names) ?? new Set(names)
  sets.set(names, known)
  return known
}

const extraRef = (name: string, column: string, mask?: Mask): FieldRef => ({
  name,
  column,
  ...(mask ? { mask } : {}),
  kind: 'json',
  nullable: true,
  path: [name],
})

function inside(
  base: FieldRef,
  prefix: string,
  name: string,
  path: string[],
): FieldRef | { fault: string } {
  const shown = shorten(prefix + name)
  if (!isJsonKind(base.kind))
    return {
      fault: `"${prefix}${base.name}" is neither JSON nor a reference, so "${shown}" can't follow it`,
    }
  if (isPlaceKind(base.kind) && !(path.length === 1 && /^(lat|lon)$/.test(path[0] ?? '')))
    return {
      fault: `"${prefix}${base.name}" is a location, whose parts are "lat" and "lon"; "${shown}" is none, and $distance is only for sort and fields`,
    }
  if (path.includes('') || path.length > MAX_PATH)
    return { fault: `"${shown}" is not a path of names between dots` }
  return {
    ...base,
    name,
    kind: 'json',
    nullable: true,
    indexed: false,
    path: [...base.path, ...path],
  }
}

/** Positions of dots, the last first: undeclared names may hold dots, and the longest name wins. */
function dotsOf(name: string): number[] {
  const dots: number[] = []
  for (let at = name.lastIndexOf('.'); at > 0; at = name.lastIndexOf('.', at - 1)) dots.push(at)
  return dots
}
