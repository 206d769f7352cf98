import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { PromotionWithPlan } from '@/lib/servers/contract'
import { PROMOTED_RECORDS } from '@/lib/testing/budget'
import { killMoments, killRounds } from '@/lib/testing/kills'
import {
  COUNTED,
  defineAll,
  digests,
  ENTITIES,
  numbers,
  remove,
  write,
} from './testing/large-model'
import {
  add,
  plan,
  promote,
  type Server,
  send,
  servers,
  settled,
  start,
  startServer,
  undo,
} from './testing/two-servers'

servers()

/** Of each of the five entities; `npm run torture -- --only promotions` asks for 100,000 in all. */
const EACH = PROMOTED_RECORDS / ENTITIES.length
const STEP = Math.min(100, EACH)
const TIME = 7_200_000

let [from, to] = [] as unknown as [Server, Server]
let other = ''
/** The tests follow one another on the same servers, of which one has what the other has. */
beforeAll(async () => {
  from = await startServer()
  to = await startServer(from)
  other = await add(to, from)
  await defineAll(from)
  for (const name of ENTITIES) {
    const isCounted = COUNTED.includes(name)
    const ids = numbers(EACH, 0, 1)
    const records = ids.map((n) => ({
      ...(isCounted ? {} : { id: n }),
      ...{ name: `${name} ${n}`, amount: n },
    }))
    await write(from, 'POST', name, records)
  }
}, TIME)

test(
  'all records of five entities are brought',
  async () => {
    expect(await promote(to, other)).toMatchObject({ status: 'DONE', error: null })
    for (const name of ENTITIES) expect([name, (await count(name)).total]).toEqual([name, EACH])
  },
  TIME,
)

const [changed, deleted, changedHere] = [
  numbers(EACH, 0, STEP),
  numbers(EACH, 1, STEP * 10),
  numbers(EACH, 2, STEP),
]
const MADE = 10

/** The source changes, deletes and creates records, the target others; where keys are counted, both create under the same numbers. */
async function edit(): Promise<void> {
  for (const name of ENTITIES) {
    const isCounted = COUNTED.includes(name)
    const made = (where: string, first: number) =>
      numbers(MADE, 0, 1).map((n) => ({
        ...(isCounted ? {} : { id: first + n }),
        ...{ name: `${where} ${n}`, amount: n },
      }))
    const renamed = (ids: number[], where: string) =>
      ids.map((id) => ({ id, name: `${where} ${id}` }))
    await write(from, 'PUT', name, renamed(changed, 'There'))
    await remove(from, name, deleted)
    await write(from, 'POST', name, made('There', EACH))
    await write(to, 'PUT', name, renamed(changedHere, 'Here'))
    await write(to, 'POST', name, made('Here', EACH + MADE))
  }
}

const countsOf = ({ plan: made }: PromotionWithPlan) =>
  made?.plugins
    .flatMap(({ files }) => files)
    .map(({ target, created, updated, deleted: trashed, conflictCount }) => [
      ...[target, created, updated, trashed, conflictCount],
    ])
    .sort()

test(
  'each difference between two servers that were both edited is planned, brought and undone',
  async () => {
    await edit()
    await plan(to, other) // what was copied is remembered by then
    const before = await digests(to)
    const planned = await plan(to, other)
    const expected = ENTITIES.map((name) => [name, MADE, changed.length, deleted.length, 0])
    expect(countsOf(planned)).toEqual(expected)
    expect(await digests(to)).toEqual(before)
    const done = await promote(to, other)
    expect(done).toMatchObject({ status: 'DONE', error: null })
    for (const name of ENTITIES) {
      const { total } = await count(name)
      expect([name, total]).toEqual([name, EACH + 2 * MADE - deleted.length])
    }
    expect(await plan(to, other)).toMatchObject({ totalSteps: 0 })
    await undo(to, done.id)
    expect(await digests(to)).toEqual(before)
  },
  TIME,
)

async function count(name: string): Promise<{ total: number }> {
  const response = await fetch(`${to.url}/api/entities/${name}?size=1`, {
    headers: { authorization: `Bearer ${to.key}` },
  })
  return (await response.json()).pagination
}

const KILLS = killRounds(0, 10)
test.runIf(KILLS > 0)(
  `the server that is killed, ${KILLS} times, goes on with it, and undoes it whole`,
  async () => {
    const before = await digests(to)
    const startedAt = performance.now()
    const whole = await promote(to, other)
    const ms = performance.now() - startedAt
    const after = await valuesOf()
    await undo(to, whole.id)
    const moment = killMoments('large promotion')
    for (let kill = 0; kill < KILLS; kill++) {
      const planned = await plan(to, other)
      await start(to, planned)
      await delay(moment() * ms)
      await to.kill()
      to = await startServer(from, to.home)
      expect(await settled(to, planned.id)).toMatchObject({ status: 'DONE', error: null })
      expect(await valuesOf()).toEqual(after)
      await undo(to, planned.id)
      expect(await digests(to)).toEqual(before)
    }
  },
  TIME,
)

/** How many records there are of each value: their numbers are those that were free at the time. */
async function valuesOf() {
  const found: unknown[] = []
  for (const name of ENTITIES)
    for (const where of ['There', 'Here'])
      found.push(
        await send(
          to,
          'GET',
          `/api/entities/${name}?filter=name:starts:${where}&size=1000&sort=name:asc,amount:asc&fields=name,amount`,
        ),
      )
  return found
}
