type Target = {
  name: string
  /** Path of the target's first file: the order among equals. */
  path: string
  /** Must precede, wherever they are among the targets. */
  dependencies: readonly string[]
  /** Should precede: the entities its records refer to. Their cycles are broken by path. */
  references: readonly string[]
}

/** Orders targets so that each follows the targets it needs. `dependencies` must be free of cycles. */
export function orderTargets(targets: readonly Target[]): string[] {
  const waiting = [...targets].sort((a, b) => (a.path < b.path ? -1 : 1))
  const names = new Set(waiting.map(({ name }) => name))
  const ordered: string[] = []
  while (waiting.length > 0) {
    const isOpen = (other: string) => names.has(other)
    const met = (target: Target) => !target.dependencies.some(isOpen)
    const free = (target: Target) =>
      met(target) && !target.references.some((other) => other !== target.name && isOpen(other))
    const next = waiting.find(free) ?? waiting.find(met) ?? waiting[0]
    if (!next) break
    waiting.splice(waiting.indexOf(next), 1)
    names.delete(next.name)
    ordered.push(next.name)
  }
  return ordered
}
