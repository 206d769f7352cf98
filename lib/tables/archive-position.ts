/**
 * The position of a definition in its archive, those at which each entity changes, by name, and the names of the
 * schemas that the archive defines.
 */
export type ArchivePosition = {
  at: number
  positionsOf: ReadonlyMap<string, readonly number[]>
  schemas: ReadonlySet<string>
}

export const changesBefore = (position: ArchivePosition | undefined, entity: string): boolean =>
  position?.positionsOf.get(entity)?.some((other) => other < position.at) ?? false

export const changesAfter = (position: ArchivePosition | undefined, entity: string): boolean =>
  position?.positionsOf.get(entity)?.some((other) => other > position.at) ?? false
