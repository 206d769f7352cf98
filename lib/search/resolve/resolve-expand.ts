import type { SearchTarget } from '@/lib/registry/target'
import { MAX_FOLLOWED } from '@/lib/search/resolve-field'
import type { Expansion } from '@/lib/search/resolved'
import { shorten, unknownName } from '@/lib/values/unknown-name'
import type { SearchFaults } from './search-faults'

const MAX_PATHS = 16

/**
 * Resolves paths of references, `region.country` as an expansion within `region`; adds every fault
 * to `faults`. Throws `forbidden` as `follow` of the target does.
 */
export function resolveExpand(
  target: SearchTarget,
  paths: readonly string[],
  faults: SearchFaults,
): Expansion[] {
  const roots: Expansion[] = []
  if (paths.length > MAX_PATHS) faults.add('expand', `At most ${MAX_PATHS} paths can be expanded`)
  for (const [index, path] of paths.slice(0, MAX_PATHS).entries()) {
    const names = path.split('.')
    const fault =
      names.length > MAX_FOLLOWED
        ? `"${shorten(path)}" follows more than ${MAX_FOLLOWED} references`
        : addPath(target, roots, names, '')
    if (fault) faults.add(`expand.${index}`, fault)
  }
  return roots
}

/** Adds the new parts of a path to `list`; returns a fault, if any. */
function addPath(
  target: SearchTarget,
  list: Expansion[],
  [name, ...rest]: string[],
  prefix: string,
): string | null {
  if (name === undefined) return null
  const known = list.find(({ field }) => field === name)
  const found = known ?? expansionOf(target, name, prefix)
  if ('fault' in found) return found.fault
  if (!known) list.push(found)
  return addPath(found.relation.target, found.expand, rest, `${prefix}${name}.`)
}

function expansionOf(
  target: SearchTarget,
  name: string,
  prefix: string,
): Expansion | { fault: string } {
  const known = target.fields.find((field) => field.name === name)
  if (!known) {
    const names = target.fields.map((field) => prefix + field.name)
    return { fault: unknownName('field', prefix + name, names) }
  }
  const relation = target.follow?.(name) ?? null
  if (relation === null)
    return { fault: `"${prefix}${name}" refers to no other entity, so it can't be expanded` }
  return 'fault' in relation
    ? relation
    : { field: name, column: known.column, relation, expand: [] }
}
