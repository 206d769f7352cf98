import { baseDepth } from '@/lib/definitions/base-depth'
import type { Entity } from '@/lib/definitions/definition'
import { typesByName } from '@/lib/definitions/resolve-type'
import type { FileKind } from '@/lib/plugins/file-report'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { orderTargets } from './order-targets'

// Schemas use types, entities schemas, roles and policies name entities, data needs all of them.
const KIND_ORDER: readonly (FileKind | null)[] = [
  'type',
  'schema',
  'entity',
  'role',
  'policy',
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
  const typesOf = ({ definitions }: PlannedFile) =>
    definitions?.kind === 'type' ? definitions.items : []
  const types = typesByName(files.flatMap(typesOf))
  const depths = new Map(
    files.map((file) => [
      file,
      Math.max(0, ...typesOf(file).map((type) => baseDepth(type, types))),
    ]),
  )
  return (file) => depths.get(file) ?? 0
}

/** Entity → entities that its records refer to, as defined by the archive or otherwise as installed. */
function referencesByEntity(files: readonly PlannedFile[], installed: readonly Entity[]) {
  const bySchema = new Map<string, string[]>()
  for (const { definitions } of files) {
    for (const { name, properties } of definitions?.kind === 'schema' ? definitions.items : []) {
      bySchema.set(
        name,
        properties.flatMap(({ rules }) => rules.reference?.entity ?? []),
      )
    }
  }
  const byEntity = new Map(
    installed.map(({ name, properties }) => [
      name,
      properties.flatMap(({ rules }) => rules.reference?.entity ?? []),
    ]),
  )
  for (const [name, references] of bySchema) byEntity.set(name, references)
  for (const { definitions } of files) {
    for (const { name, engineSchema } of definitions?.kind === 'entity' ? definitions.items : []) {
      byEntity.set(name, bySchema.get(engineSchema ?? name) ?? byEntity.get(name) ?? [])
    }
  }
  return byEntity
}
