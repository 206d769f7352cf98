import { type FileKind, itemsOf, type PlannedFile } from '@/lib/archives/plugin-file'
import { baseDepth } from '@/lib/definitions/base-depth'
import type { Entity } from '@/lib/definitions/definition'
import { typesByName } from '@/lib/definitions/resolve-type'

// Schemas use types, entities schemas, roles, policies and webhooks name entities, data needs all of them.
const KIND_ORDER: readonly (FileKind | null)[] = [
  'type',
  'schema',
  'entity',
  'role',
  'policy',
  'webhook',
  'data',
  null,
]

/**
 * Definitions first, types after their bases, then data: targets by their dependencies and the references
 * of their records, otherwise by path; the files of one target by path.
 */
export function orderFiles(
  files: readonly PlannedFile[],
  installed: readonly Entity[],
): PlannedFile[] {
  const byPath = [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
  const targets = new Map<string, PlannedFile[]>()
  for (const file of byPath) {
    const key = file.target ?? ''
    targets.set(key, [...(targets.get(key) ?? []), file])
  }
  const references = referencesByEntity(files, installed)
  const order = orderTargets(
    [...targets].map(([name, [first, ...others]]) => ({
      name,
      path: first?.path ?? '',
      dependencies: [first, ...others].flatMap((file) => file?.dependencies ?? []),
      references: references.get(name) ?? [],
    })),
  )
  const position = new Map(order.map((name, at) => [name, at]))
  const rank = (file: PlannedFile) => position.get(file.target ?? '') ?? 0
  const depth = depthOfTypes(byPath)
  return byPath.sort(
    (a, b) =>
      KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind) ||
      rank(a) - rank(b) ||
      depth(a) - depth(b),
  )
}

function depthOfTypes(files: readonly PlannedFile[]): (file: PlannedFile) => number {
  const types = typesByName(itemsOf(files, 'type'))
  const depthOf = (file: PlannedFile) =>
    Math.max(0, ...itemsOf([file], 'type').map((type) => baseDepth(type, types)))
  const depths = new Map(files.map((file) => [file, depthOf(file)]))
  return (file) => depths.get(file) ?? 0
}

/** Entity → entities that its records refer to, as defined by the archive or otherwise as installed. */
function referencesByEntity(files: readonly PlannedFile[], installed: readonly Entity[]) {
  const bySchema = new Map(itemsOf(files, 'schema').map(referencesOf))
  const byEntity = new Map([...installed.map(referencesOf), ...bySchema])
  for (const { name, engineSchema } of itemsOf(files, 'entity'))
    byEntity.set(name, bySchema.get(engineSchema ?? name) ?? byEntity.get(name) ?? [])
  return byEntity
}

const referencesOf = ({ name, properties }: Pick<Entity, 'name' | 'properties'>) =>
  [name, properties.flatMap(({ rules }) => rules.reference?.entity ?? [])] as const

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
