import { beforeAll, expect, test } from 'vitest'
import { findEntity } from '@/lib/registry/registry'
import { FUZZ_ROUNDS } from '@/lib/testing/budget'
import { identityProvider } from './credentials'
import { Effects } from './effects'
import { faultIn } from './fault-in'
import { type Position, positionsOf, type Sent } from './positions'
import { startTarget } from './target-server'

/** Refused requests may note who tried what and what was started; exports go on beside them; sequences never go back. */
const NOTED =
  /audit_log|idempotency_keys|sessions|second_factor|exports|export_parts|_seq$|change_ids/

/** What answers change or remove things that later requests are about. */
const REMOVES = /^DELETE|\/rollback|\/restore/
const OF_SCIM = /^\/api\/scim\//
const OF_BROWSERS = /\/users\/me\/(second-factors|sessions)/

/**
 * Tests every place that takes input and matches; `names` are those of all places. A round sends one value in each
 * place, in turn one of those made for it and one that is naughty everywhere; 1,040 rounds send all of them everywhere.
 */
export function testPositions(
  matches: (position: Position, names: ReadonlySet<string>) => boolean,
): void {
  const target = startTarget()
  let positions: Position[] = []
  let effects: Effects
  let credentials: Record<string, string>[] = []
  let scim: Record<string, string> = {}

  beforeAll(async () => {
    const entity = await findEntity(target.deps, 'Thing')
    const all = positionsOf(entity, target.knownOf)
    const names = new Set(all.map(({ name }) => name))
    positions = all.filter((position) => matches(position, names))
    effects = new Effects(target.deps.db)
    credentials = [await target.credentials(false), await target.credentials(true)]
    scim = await identityProvider(target.deps)
  })

  /** What is wrong with the answer to a value in a place, or undefined. */
  async function faultOf({ name, path, request }: Position, value: string) {
    const sent = request(value)
    const stated = OF_SCIM.test(path) ? scim : credentials[Number(OF_BROWSERS.test(path))]
    const headers = { ...stated, ...sent.headers }
    const answer = await target.send({ ...sent, headers })
    const isRefused = answer.status >= 400
    if (!isRefused && REMOVES.test(name)) await target.fill()
    if (!isRefused && OF_BROWSERS.test(path)) credentials[1] = await target.credentials(true)
    if (!isRefused && path === '/api/scim-token') scim = await identityProvider(target.deps)
    const changed = (await effects.changed()).filter((table) => !NOTED.test(table))
    const effect =
      isRefused && changed.length > 0 ? `${answer.status} changed ${changed}` : undefined
    const fault = faultIn(answer, { path, secrets: target.secrets }) ?? effect
    return fault && `${name}: ${shown(sent)} is ${fault}`
  }

  test(
    'hostile values are answered well, and have no effect where they are refused',
    async () => {
      expect(positions.length).toBeGreaterThan(300)
      await effects.changed()
      const faults: string[] = []
      for (let round = 0; round < FUZZ_ROUNDS; round++)
        for (const [at, position] of positions.entries()) {
          const { own, naughty } = position.values
          const [values, step] = (at + round) % 2 === 0 ? [own, 7] : [naughty, 13]
          const value = values[(at * step + Math.floor(round / 2)) % values.length] ?? ''
          const fault = await faultOf(position, value)
          if (fault) faults.push(fault)
        }
      expect(faults).toEqual([])
    },
    FUZZ_ROUNDS * 600_000,
  )
}

/** Enough to repeat it. */
const shown = ({ path, headers, body }: Sent) =>
  JSON.stringify({ path, headers, body: String(body ?? '').slice(0, 300) }).slice(0, 1000)
