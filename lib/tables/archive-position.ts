/** The position of a definition in its archive, and those at which each entity changes, by name. */
export type ArchivePosition = { at: number; positionsOf: ReadonlyMap<string, readonly number[]> }

export const changesBefore = (position: ArchivePosition | undefined, entity: string): boolean =>
  position?.positionsOf.get(entity)?.some((other) => other < position.at) ?? false

export const changesAfter = (position: ArchivePosition | undefined, entity: string): boolean =>
  position?.positionsOf.get(entity)?.some((other) => other > position.at) ?? false
