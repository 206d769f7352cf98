/** The turn that a definition has in its archive, and those in which entities change, by their names. */
export type Turn = { turn: number; turnsOf: ReadonlyMap<string, readonly number[]> }

export const changesBefore = (turn: Turn | undefined, entity: string): boolean =>
  turn?.turnsOf.get(entity)?.some((other) => other < turn.turn) ?? false

export const changesAfter = (turn: Turn | undefined, entity: string): boolean =>
  turn?.turnsOf.get(entity)?.some((other) => other > turn.turn) ?? false
