import type { TaintActor } from './actor'
import { type Path, pathsOf } from './conditions'
import type { Model } from './model'
import type { Random } from './random'
import type { Answer, Asked } from './requests-to'
import type { Stage, State } from './stage'
import { tokensIn, WORLD, type WorldEntity } from './world'
import type { Change } from './written'

/** What a story may look at while it makes its requests. */
export type Scene = {
  random: Random
  stage: Stage
  actor: TaintActor
  /** Of what is stored before the next request. */
  model: Model
  state: State
  /** The next number of a token that nobody has used. */
  fresh: () => number
  /** Tokens that its requests have named. */
  said: Set<string>
  /** Tokens that a figure of the next answer happens to look like. */
  derived: Set<string>
  /** Names that the next answer may have for another reason than the records. */
  toldNames: Set<string>
  /** All policies of the round, and the profiles of its callers, as text. */
  security: string
  /** Whether a change that is otherwise wrong follows from the request: by `onDelete`, or since it brings records back whole. */
  follows: (change: Change, wrong: string) => boolean
  /** Notes a fault of the last answer. */
  fault: (text: string) => void
}

/** Requests of one caller, one after the other; each answer is looked through before the next one. */
export type Story = (scene: Scene) => AsyncGenerator<Asked, void, Answer>

/** Who manages users or security may know their profiles, and the conditions of policies. */
export function tellSecurity({ security, derived, toldNames }: Scene): void {
  for (const token of tokensIn(security)) derived.add(token)
  for (const { fields } of WORLD) for (const { name } of fields) toldNames.add(name)
}

const anyEntity = ({ random }: Scene): WorldEntity => random.pick(WORLD)

/** Mostly one that the caller may read. */
export function readableEntity(scene: Scene): WorldEntity {
  const readable = WORLD.filter(({ name }) => scene.model.rule(name, 'read').access === 'yes')
  return readable.length > 0 && !scene.random.chance(8)
    ? scene.random.pick(readable)
    : anyEntity(scene)
}

/** What the caller gets for a name in a condition. */
export type Standing = 'known' | 'unknown' | 'forbidden' | 'unclear'

function standingOf(model: Model, { steps }: Path): Standing {
  for (const { entity, field } of steps) {
    const { access } = model.rule(entity, 'read')
    if (access === 'unclear') return 'unclear'
    if (access === 'no') return 'forbidden'
    if (!model.names(entity).has(field)) return 'unknown'
  }
  return 'known'
}

export const knownPaths = (model: Model, entity: WorldEntity, depth = 2): Path[] =>
  pathsOf(entity, depth).filter((path) => standingOf(model, path) === 'known')

/** Of a request that names `paths`: its status, or null where the model has no say. */
export function statusFor(model: Model, entity: string, paths: readonly Path[]): number[] | null {
  const { access } = model.rule(entity, 'read')
  if (access === 'no') return [403]
  const standings = new Set(paths.map((path) => standingOf(model, path)))
  if (access === 'unclear' || standings.has('unclear')) return null
  if (standings.has('forbidden') && standings.has('unknown')) return [400, 403]
  if (standings.has('forbidden')) return [403]
  return standings.has('unknown') ? [400] : [200]
}
