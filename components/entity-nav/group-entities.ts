/** As the list of entities needs it. */
export type Listed = {
  name: string
  label?: string | null
  pluginId: string | null
  records?: { value: number; isEstimate: boolean }
}

export type EntityGroup<T extends Listed> = {
  /** The plugin's id; `''` for entities without one. */
  plugin: string
  entities: T[]
}

// `Part2` before `Part10`.
const NATURAL = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The entities by their plugin, both in natural order; those without a plugin come last. */
export function groupEntities<T extends Listed>(
  entities: readonly T[],
  nameOf: (plugin: string) => string,
): EntityGroup<T>[] {
  const groups = new Map<string, T[]>()
  for (const entity of entities) {
    const plugin = entity.pluginId ?? ''
    const group = groups.get(plugin)
    if (group) group.push(entity)
    else groups.set(plugin, [entity])
  }
  const named = [...groups].map(([plugin, list]) => ({
    plugin,
    entities: list.sort((a, b) => NATURAL.compare(a.name, b.name)),
  }))
  return named.sort((a, b) => {
    if (a.plugin === '' || b.plugin === '') return a.plugin === '' ? 1 : -1
    return NATURAL.compare(nameOf(a.plugin), nameOf(b.plugin))
  })
}

/** Lines of the sidebar that entities take before the rest is folded away. */
const LINES = 14
const FEWEST_A_GROUP = 3

/** How many entities each group shows at first, so that the pages below stay in sight. */
export function linesOfGroups(sizes: readonly number[]): number[] {
  const fair = Math.max(FEWEST_A_GROUP, Math.floor(LINES / Math.max(1, sizes.length)))
  // A line that would only say "1 more" shows the entity instead.
  return sizes.map((size) => (size <= fair + 1 ? size : fair))
}

const GROUPS = 8

/** The groups that are shown at first, with that of the open entity; the others come when asked for. */
export const firstGroups = <T extends Listed>(
  groups: readonly EntityGroup<T>[],
  open: string | null,
) => groups.filter(({ entities }, at) => at < GROUPS || entities.some(({ name }) => name === open))
