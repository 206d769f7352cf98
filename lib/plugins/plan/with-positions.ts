import { isDeepStrictEqual } from 'node:util'
import type { Entity } from '@/lib/definitions/definition'
import type { Definitions, PlannedFile } from '@/lib/plugins/plugin-file'
import { schemaNameOf } from '@/lib/registry/merge-entity'
import { toStored } from '@/lib/tables/save-entity'

type Shaping = Extract<Definitions, { kind: 'schema' | 'entity' }>

/**
 * Adds to each schema and entity of the plan its position, and the positions at which entities change:
 * a statement about two entities only holds once both are as in the archive.
 */
export function withPositions(
  files: readonly PlannedFile[],
  installed: readonly Entity[],
): PlannedFile[] {
  const positionsOf = new Map<string, number[]>()
  const schemas = new Set(files.flatMap(schemasOf))
  let position = 0
  return files.map((file) => {
    const { definitions } = file
    if (definitions?.kind !== 'schema' && definitions?.kind !== 'entity') return file
    const first = position
    for (const changed of changedBy(definitions, installed)) {
      if (!file.failure)
        for (const name of changed)
          positionsOf.set(name, [...(positionsOf.get(name) ?? []), position])
      position++
    }
    return { ...file, definitions: { ...definitions, positions: { first, positionsOf, schemas } } }
  })
}

const schemasOf = ({ definitions, failure }: PlannedFile): string[] =>
  definitions?.kind === 'schema' && !failure ? definitions.items.map(({ name }) => name) : []

/** For each item, the names of the entities that it makes or changes. */
function changedBy(definitions: Shaping, installed: readonly Entity[]): string[][] {
  if (definitions.kind === 'entity')
    return definitions.items.map((item) => {
      const known = installed.find(({ name }) => name === item.name)
      return isDeepStrictEqual(known?.definition, toStored(item))
        ? []
        : [item.name, ...(item.renamedFrom ?? [])]
    })
  return definitions.items.map((item) =>
    installed
      .filter(({ definition }) => schemaNameOf(definition) === item.name)
      .filter(({ schema }) => !isDeepStrictEqual(schema, toStored(item)))
      .map(({ name }) => name),
  )
}
