import type { Policy, TaintActor } from './actor'
import { hiddenNames, isWritten, placesOf, saidIn, textsOf, tokensShown } from './check'
import { ACTIONS, Model } from './model'
import { Random } from './random'
import { randomActor, randomPolicies } from './random-policies'
import type { Answer, Asked } from './requests-to'
import type { Stage, State } from './stage'
import { RECORD_STORIES } from './stories'
import type { Scene, Story } from './story'
import { FIRST_WRITTEN, tokensIn, WORLD } from './world'
import { changesBetween, faultOf } from './written'

/** So many requests are made under the same policies. */
const REQUESTS_A_ROUND = 50
const ACTORS = 3

let written = FIRST_WRITTEN

/** One round: policies, callers and requests of a seed. */
export class Round {
  requests = 0
  readonly faults: string[] = []
  private readonly random: Random
  private state: State = { rows: {}, trash: [], versions: [] }
  private policies: Policy[] = []
  private security = ''
  private readonly known = new Map<TaintActor, Set<string>>()

  constructor(
    private readonly stage: Stage,
    private readonly seed: number,
    private readonly stories: readonly Story[],
  ) {
    this.random = new Random(seed)
  }

  /** What was wrong, with all that is needed to see it again. */
  async play(): Promise<string[]> {
    const { stage, random, stories } = this
    await stage.begin([], [])
    this.state = await stage.state()
    const { rows } = this.state
    this.policies = randomPolicies(random, rows)
    const actors = Array.from({ length: ACTORS }, (_, n) => randomActor(random, rows, n))
    this.security = JSON.stringify([this.policies, actors.map(({ profile }) => profile)])
    await stage.begin(this.policies, actors)
    while (this.requests < REQUESTS_A_ROUND && this.faults.length === 0) {
      const actor = random.pick(actors)
      const isOpen = actor.kind === 'guest' && random.chance(80)
      await this.tell(random.pick(isOpen ? RECORD_STORIES : stories), actor)
    }
    return this.faults
  }

  private async tell(story: Story, actor: TaintActor): Promise<void> {
    const { stage, random, policies } = this
    let last: { asked: Asked; answer: Answer } | undefined
    const fault = (text: string) => this.note(text, actor, last?.asked, last?.answer)
    const scene: Scene = {
      ...{ random, stage, actor, state: this.state, fault, fresh: () => ++written },
      derived: new Set(),
      said: new Set(),
      toldNames: new Set(),
      security: this.security,
      follows: () => false,
      model: new Model(this.state.rows, policies, actor),
    }
    const steps = story(scene)
    let step = await steps.next()
    while (!step.done) {
      const asked = { ...step.value, headers: { ...actor.headers, ...step.value.headers } }
      stage.logged.length = 0
      const answer = await stage.send(asked)
      this.requests++
      last = { asked, answer }
      const [model, { rows }] = [scene.model, this.state]
      if (!stage.isReading(asked)) {
        this.state = await stage.state()
        scene.state = this.state
        scene.model = new Model(this.state.rows, policies, actor)
        for (const change of changesBetween(rows, this.state.rows)) {
          const wrong = faultOf(change, model, scene.model)
          if (wrong && !scene.follows(change, wrong)) fault(wrong)
        }
      }
      await this.look(asked, answer, [model, scene.model], scene)
      if (actor.kind === 'guest' && this.isRefused(asked, answer, model, fault)) return
      // Guests are asked to sign in where others are refused.
      const isAsked = actor.kind === 'guest' && answer.status === 401
      step = await steps.next(isAsked ? { ...answer, status: 403 } : answer)
    }
  }

  /** Whether the route is none of guests, and their story ends. */
  private isRefused(asked: Asked, { status }: Answer, model: Model, fault: (text: string) => void) {
    if (this.stage.isForGuests(asked)) {
      const name = /^\/api\/entities\/(\w+)/.exec(asked.path)?.[1]
      const isKnown = WORLD.some((entity) => entity.name === name)
      const hasNone = isKnown && ACTIONS.every((one) => model.rule(name ?? '', one).access === 'no')
      if (hasNone && status !== 401) fault(`status ${status} for a guest without a right`)
      return false
    }
    if (status !== 401) fault(`status ${status} for a guest, not 401`)
    return true
  }

  /** Notes each token that the caller may not know, and each name of a hidden field. */
  private async look(asked: Asked, answer: Answer, models: Model[], scene: Scene): Promise<void> {
    const { actor, state, derived, fault } = scene
    // Administrators alone get here, and one who may read the log of all changes may read all.
    if (asked.path.startsWith('/api/entities/Engine')) return
    if (actor.roles.includes('ADMIN') && actor.scopes === null) return
    const said = await saidIn(asked)
    for (const token of tokensIn(said)) scene.said.add(token)
    const known = this.known.get(actor) ?? new Set<string>()
    this.known.set(actor, known)
    // Lists show what became of files.
    for (const token of tokensIn(said))
      if (isWritten(token) || asked.body instanceof FormData) known.add(token)
    const texts = [await textsOf(answer), ...this.stage.logged].join('\n')
    const strange = [...tokensIn(texts)].filter(
      (token) => !scene.said.has(token) && !known.has(token) && !derived.has(token),
    )
    const shown = strange.length > 0 ? models.map((model) => tokensShown(model, state)) : []
    for (const token of strange)
      if (!shown.some((one) => one.has(token))) fault(`token ${token} of ${placesOf(token, state)}`)
    for (const name of hiddenNames(scene.model)) {
      if (said.includes(name)) (asked.body instanceof FormData ? known : scene.toldNames).add(name)
      const isNamed = new RegExp(`\\b${name}\\b`).test(texts)
      if (isNamed && !known.has(name) && !scene.toldNames.has(name))
        fault(`the name ${name} of a hidden field`)
    }
  }

  private note(text: string, actor: TaintActor, asked?: Asked, answer?: Answer): void {
    if (this.faults.length > 0) {
      this.faults.push(`  and ${text.slice(0, 200)}`)
      return
    }
    const { headers: _, ...who } = actor
    const { headers: _headers, body, ...sent } = asked ?? { headers: {} }
    const shown = body instanceof FormData ? '(a form)' : body
    const roles = [...actor.roles.map((role) => role.toLowerCase()), '*']
    const applying = this.policies.filter(({ principals }) =>
      principals.some((role) => roles.includes(role.toLowerCase())),
    )
    this.faults.push(
      [
        `SEED ${this.seed}: ${text}`,
        `  actor ${JSON.stringify(who)}`,
        ...applying.map((policy) => `  policy ${JSON.stringify(policy)}`),
        `  request ${JSON.stringify({ ...sent, body: shown })}`,
        `  response ${answer?.status} ${answer?.text.slice(0, 600)}`,
        ...((answer?.status ?? 0) >= 500
          ? [`  log ${this.stage.logged.join('').slice(0, 1500)}`]
          : []),
      ].join('\n'),
    )
  }
}
