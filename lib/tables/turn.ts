/** The position of a definition in its archive, and those at which each entity changes, by name. */
export type Turn = { turn: number; turnsOf: ReadonlyMap<string, readonly number[]> }

export const changesBefore = (turn: Turn | undefined, entity: string): boolean =>
  turn?.turnsOf.get(entity)?.some((other) => other < turn.turn) ?? false

export const changesAfter = (turn: Turn | undefined, entity: string): boolean =>
  turn?.turnsOf.get(entity)?.some((other) => other > turn.turn) ?? false
