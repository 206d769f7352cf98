/** Which side of a conflict stands: what is here, or what the plugin has. */
export type Side = 'keep' | 'take'

/** A record in conflict, by its `persistenceId`. */
export type ConflictName = { entity: string; key: string }

/** What was chosen about conflicts. */
export type Resolution = {
  /** About all that are not in `except`; null: as the plugin says. */
  otherwise: Side | null
  /** Records about which something else was chosen, by `nameOf`. */
  except: ReadonlyMap<string, Side>
}

export const UNRESOLVED: Resolution = { otherwise: null, except: new Map() }

const nameOf = ({ entity, key }: ConflictName): string => JSON.stringify([entity, key])
const parsed = (name: string): [entity: string, key: string] => JSON.parse(name)

/** Null where nothing was chosen. */
export const sideOf = ({ otherwise, except }: Resolution, name: ConflictName): Side | null =>
  except.get(nameOf(name)) ?? otherwise

export const allOf = (otherwise: Side): Resolution => ({ otherwise, except: new Map() })

/** Chooses about one record; `fallback`: what happens to it without a choice. */
export function withSide(
  resolution: Resolution,
  name: ConflictName,
  side: Side,
  fallback: Side | null = null,
): Resolution {
  const except = new Map(resolution.except)
  if (side === (resolution.otherwise ?? fallback)) except.delete(nameOf(name))
  else except.set(nameOf(name), side)
  return { ...resolution, except }
}

export const isSame = (a: Resolution, b: Resolution): boolean =>
  a.otherwise === b.otherwise &&
  a.except.size === b.except.size &&
  [...a.except].every(([name, side]) => b.except.get(name) === side)

/** The conflicts of an entity; `fallback`: what happens to those about which nothing was chosen. */
export type Group = { entity: string; total: number; fallback: Side | null }

/** How many conflicts are kept, taken, and open. */
export function countsOf({ otherwise, except }: Resolution, groups: readonly Group[]) {
  const counts = { keep: 0, take: 0, open: 0 }
  for (const { entity, total, fallback } of groups) {
    const chosen = [...except].flatMap(([name, side]) => (parsed(name)[0] === entity ? [side] : []))
    for (const side of chosen) counts[side]++
    counts[otherwise ?? fallback ?? 'open'] += Math.max(0, total - chosen.length)
  }
  return counts
}

type Decisions = Record<string, { keep?: string[]; take?: string[] }>

/** The `decisions` of a request; null when nothing was chosen about single records. */
export function decisionsOf({ except }: Resolution): Decisions | null {
  const decisions: Decisions = {}
  for (const [name, side] of except) {
    const [entity, key] = parsed(name)
    const ofEntity = decisions[entity] ?? {}
    ofEntity[side] = [...(ofEntity[side] ?? []), key]
    decisions[entity] = ofEntity
  }
  return except.size > 0 ? decisions : null
}
