import postgres, { type Sql } from 'postgres'
import { type DeadReceiver, measureDead } from './dead-receiver'
import { type Instance, killMeanwhile, startInstance } from './instances'
import { ENTITY, formWith, send } from './item-clients'
import { archive } from './item-operations'
import * as receivers from './receivers'
import type { Line } from './report'

const BRANCHES = 5
const KEYS = 500
/** Longer than the claim of a process that was killed. */
const WAIT_LIMIT_MS = 150_000

type How = { events: number; kills: number; phaseSeconds: number }
type Named = Record<string, receivers.Receiver>

/** Receivers of all kinds, beside changes and kills of both servers. */
export async function measureWebhooks(url: string, folder: string, how: How): Promise<Line[]> {
  const sql = postgres(url, { max: 4, onnotice: () => {} })
  const late: number[] = []
  const trap = await receivers.startReceiver(receivers.sound)
  const { startReceiver } = receivers
  const all: Named = {
    sound: await startReceiver(receivers.sound),
    flaky: await startReceiver(receivers.flaky()),
    slow: await startReceiver(receivers.slow()),
    large: await startReceiver(receivers.large),
    removed: await startReceiver(receivers.removed(how.events / BRANCHES / 2, late)),
    never: await startReceiver(receivers.never),
    redirecting: await startReceiver(receivers.redirecting(trap.url)),
  }
  const hosts = Object.values(all).map(({ host }) => host)
  const more = { OUTGOING_ALLOWED_HOSTS: hosts.join(','), LOG_LEVEL: 'fatal' }
  const instances = [await startInstance(url, folder, more), await startInstance(url, folder, more)]
  try {
    const [first] = instances as [Instance]
    const form = formWith(await archive([]), 'items.zip')
    await send(first.url, { method: 'POST', path: '/api/plugins/install/zip', form })
    await sql`insert into entities.item (id, branch, count) select n, 'b' || n % ${BRANCHES}, 0 from generate_series(0, ${KEYS - 1}) as n`
    const ids = await makeWebhooks(first.url, all)
    let done = 0
    const killing = killMeanwhile(instances, how.kills, () => done / how.events)
    await change(sql, how.events, () => done++)
    const killed = await killing
    const waitedMs = await untilDelivered(all, how.events)
    const lines = judge(all, how, { killed, waitedMs, late, trapped: trap.requests })
    for (const name of ['flaky', 'slow', 'large', 'removed', 'redirecting'])
      await send(first.url, { method: 'DELETE', path: `/api/webhooks/${ids[name]}` })
    const dead: DeadReceiver = {
      sql,
      url: first.url,
      deadId: ids.never ?? '',
      sound: all.sound as receivers.Receiver,
    }
    return [...lines, await measureDead(dead, how.phaseSeconds)]
  } finally {
    for (const one of instances) await one.stop()
    for (const one of [...Object.values(all), trap]) one.close()
    await sql.end()
  }
}

async function makeWebhooks(url: string, all: Named): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const [at, [name, receiver]] of Object.entries(all).entries()) {
    const where = [{ field: 'branch', operator: 'eq', value: `b${at % BRANCHES}` }]
    const some = name === 'sound' ? {} : { where, actions: ['updated'] }
    const body = { name, url: receiver.url, entities: [ENTITY], ...some }
    const { status, data } = await send(url, { method: 'POST', path: '/api/webhooks', body })
    if (status !== 201) throw new Error(`${name}: ${status}`)
    ids[name] = String(data?.[0]?.id)
  }
  return ids
}

/** Numbered changes, four at a time, evenly over the records. */
async function change(sql: Sql, events: number, onDone: () => void): Promise<void> {
  let next = 1
  const writer = async () => {
    for (let n = next++; n <= events; n = next++) {
      await sql`update entities.item set count = ${n} where id = ${n % KEYS}`
      onDone()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await Promise.all([1, 2, 3, 4].map(writer))
}

const WHOLE = ['sound', 'flaky', 'slow', 'large'] as const

/** Of the changes that a receiver is to get, the numbers. */
const expectedOf = (all: Named, name: string, events: number): number[] => {
  const at = Object.keys(all).indexOf(name)
  const numbers = Array.from({ length: events }, (_, n) => n + 1)
  return name === 'sound' ? numbers : numbers.filter((n) => (n % KEYS) % BRANCHES === at % BRANCHES)
}

const missingOf = (all: Named, name: string, events: number): number => {
  const got = new Set(all[name]?.got.map(({ n }) => n))
  return expectedOf(all, name, events).filter((n) => !got.has(n)).length
}

async function untilDelivered(all: Named, events: number): Promise<number> {
  const from = performance.now()
  while (performance.now() - from < WAIT_LIMIT_MS) {
    if (WHOLE.every((name) => missingOf(all, name, events) === 0)) break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  return performance.now() - from
}

type Events = { killed: number; waitedMs: number; late: number[]; trapped: number }

function judge(all: Named, { events }: How, { killed, waitedMs, late, trapped }: Events): Line[] {
  const lines = WHOLE.map((name): Line => {
    const { got } = all[name] as receivers.Receiver
    const missing = missingOf(all, name, events)
    const unique = [...new Map(got.toReversed().map((one) => [one.id, one])).values()].reverse()
    const outOfOrder = disorder(unique)
    return {
      title: `a receiver that is ${name}`,
      result: `${unique.length} of ${expectedOf(all, name, events).length} changes, ${missing} missing, ${got.length - unique.length} repeated, ${outOfOrder} out of order`,
      isGood: missing === 0 && outOfOrder === 0,
    }
  })
  const worst = Math.max(0, ...late)
  return [
    ...lines,
    {
      title: 'after 410',
      result: `${late.length} requests, the last ${worst} ms after the answer`,
      isGood: worst < 1_000,
    },
    {
      title: 'a redirect to a private address',
      result: `followed ${trapped} times`,
      isGood: trapped === 0,
    },
    {
      title: 'kills',
      result: `${killed}; all was delivered ${(waitedMs / 1000).toFixed(0)} s after the last change`,
      isGood: waitedMs < WAIT_LIMIT_MS,
    },
  ]
}

/** How many came after a later change of the same record. */
function disorder(unique: readonly receivers.Got[]): number {
  const last = new Map<string, number>()
  let count = 0
  for (const { key, n } of unique) {
    if (n < (last.get(key) ?? 0)) count++
    last.set(key, Math.max(n, last.get(key) ?? 0))
  }
  return count
}
