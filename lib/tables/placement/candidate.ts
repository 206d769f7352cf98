import type { EnforcedReference } from '../plan-references'
import type { PlacedEntity, WantedPlacement } from './resolve-placement'

/** `records`: an estimate; `isRebuilt`: the table has to be local for a while. */
export type Candidate = PlacedEntity & {
  records: number
  isChanged: boolean
  isRebuilt: boolean
}
export type Move = Candidate & { wanted: WantedPlacement }

export type Link = { from: Candidate; to: Candidate; reference: EnforcedReference['reference'] }

export const named = (all: readonly Move[], name: string | null) =>
  all.find(({ entity }) => entity.name === name)
