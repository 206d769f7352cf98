import type { Kind } from '@/lib/entities/definition'
import type { SearchTarget, TargetField } from '@/lib/entities/target'
import { shorten, unknownName } from '@/lib/unknown-name'
import type { FieldRef } from './resolved'

/** Name of a record's identity in answers; with one key it may be searched like the key itself. */
export const ID_FIELD = 'persistenceId'

const HOLDS_JSON: ReadonlySet<Kind> = new Set(['json', 'object', 'array'])
const MAX_PATH = 20

/** Looks names up in one target; unknown ones are answered as a sentence that says so. */
export type FieldResolver = (name: string) => FieldRef | { fault: string }

/** Fields by their exact names, undeclared fields, and dotted paths into what holds JSON. */
export function fieldResolver(target: SearchTarget): FieldResolver {
  const declared = new Map(target.fields.map((field) => [field.name, field]))
  const extra = new Set(target.extraFields)
  const names = [...declared.keys(), ...extra]

  const whole = (name: string): FieldRef | null => {
    const field = declared.get(name)
    if (field) return refOf(field)
    if (extra.has(name) && target.extraColumn) return extraRef(name, target.extraColumn)
    const [key] = target.keys
    const isOnlyKey = name === ID_FIELD && target.keys.length === 1 && key !== undefined
    return isOnlyKey ? whole(key) : null
  }

  return (name) => {
    const found = whole(name)
    if (found) return found
    for (const dot of dotsOf(name)) {
      const base = whole(name.slice(0, dot))
      if (base) return inside(base, name, name.slice(dot + 1).split('.'))
    }
    return { fault: unknownName('field', name, names) }
  }
}

const refOf = ({ hidden: _, ...field }: TargetField): FieldRef => ({ ...field, path: [] })

const extraRef = (name: string, column: string): FieldRef => ({
  name,
  column,
  kind: 'json',
  nullable: true,
  path: [name],
})

function inside(base: FieldRef, name: string, path: string[]): FieldRef | { fault: string } {
  if (!HOLDS_JSON.has(base.kind))
    return {
      fault: `"${base.name}" holds no JSON, so nothing lies inside it at "${shorten(name)}"`,
    }
  if (path.includes('') || path.length > MAX_PATH)
    return { fault: `"${shorten(name)}" is not a path of names between dots` }
  return {
    ...base,
    name,
    kind: 'json',
    nullable: true,
    indexed: false,
    path: [...base.path, ...path],
  }
}

/** Positions of dots, the last first: undeclared names may hold dots, and the longest one wins. */
function dotsOf(name: string): number[] {
  const dots: number[] = []
  for (let at = name.lastIndexOf('.'); at > 0; at = name.lastIndexOf('.', at - 1)) dots.push(at)
  return dots
}
