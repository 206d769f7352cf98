import { FileFailure, itemsOf, type PlannedFile } from '@/lib/archives/plugin-file'
import type { TypeDefinition } from '@/lib/definitions/definition'
import { typeKey } from '@/lib/definitions/property-types'

/** Files with types based on each other in a cycle can't be installed in any order. */
export function refuseTypeCycles(
  files: readonly PlannedFile[],
  installed: readonly TypeDefinition[],
): PlannedFile[] {
  const types = [...installed, ...itemsOf(files, 'type')]
  const bases = new Map(
    types.map(({ name, baseType }) => [typeKey(name), [typeKey(baseType)] as const]),
  )
  const cycles = new Map<string, string[]>()
  for (let cycle = findCycle(bases); cycle; cycle = findCycle(bases)) {
    for (const key of cycle) {
      cycles.set(key, cycle)
      bases.delete(key)
    }
  }
  return files.map((file) => refuse(file, cycles))
}

function refuse(file: PlannedFile, cycles: ReadonlyMap<string, string[]>): PlannedFile {
  const details = itemsOf([file], 'type').flatMap(({ name, baseType }, index) => {
    const cycle = cycles.get(typeKey(name))
    if (!cycle) return []
    const message = `The types ${cycle.join(' → ')} are based on each other`
    return [{ index, pointer: '/baseType', value: baseType, message }]
  })
  if (details.length === 0 || file.failure) return file
  return { ...file, failure: new FileFailure('Invalid definition', details) }
}

/** The dependencies of each target, by target. */
type Dependencies = ReadonlyMap<string, readonly string[]>

/** The first cycle as a closed path (`["A", "B", "A"]`; `["A", "A"]` for a self-dependency), or null. */
export function findCycle(dependencies: Dependencies): string[] | null {
  const done = new Set<string>()
  for (const start of dependencies.keys()) {
    const cycle = walk(start, dependencies, done)
    if (cycle) return cycle
  }
  return null
}

// Iterative: a chain of thousands of targets must not exhaust the stack.
function walk(start: string, dependencies: Dependencies, done: Set<string>): string[] | null {
  const path: string[] = []
  const onPath = new Set<string>()
  const pending: { target: string; next: number }[] = [{ target: start, next: 0 }]
  while (pending.length > 0) {
    const top = pending[pending.length - 1] as { target: string; next: number }
    if (top.next === 0) {
      if (done.has(top.target)) {
        pending.pop()
        continue
      }
      path.push(top.target)
      onPath.add(top.target)
    }
    const dependency = dependencies.get(top.target)?.[top.next++]
    if (dependency === undefined) {
      done.add(top.target)
      path.pop()
      onPath.delete(top.target)
      pending.pop()
    } else if (onPath.has(dependency)) {
      return [...path.slice(path.indexOf(dependency)), dependency]
    } else pending.push({ target: dependency, next: 0 })
  }
  return null
}
