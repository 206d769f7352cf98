import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import postgres, { type Sql } from 'postgres'
import { randomInteger } from '../http/random'
import { AUTHORIZATION } from '../http/servers'
import { type Instance, killMeanwhile, startInstance } from './instances'
import { ENTITY, formWith, send } from './item-clients'
import { anyOperation, archive } from './item-operations'
import type { Line } from './report'

const WRITERS = 8

type How = { operations: number; kills: number; seed: number }
type Held = {
  changes: number
  repeated: number
  outOfOrder: number
  moves: number
  streams: number
  faults: string[]
  records: [string, unknown][]
}

/**
 * Random operations by several writers beside a follower, a process that knows the records by an export and the feed alone, while
 * servers are killed. `url`: of a database with two instances; none is the embedded database, with one.
 */
export async function measureReplica(url: string, folder: string, how: How): Promise<Line[]> {
  const sql = url ? postgres(url, { max: WRITERS, onnotice: () => {} }) : null
  const instances = [await startInstance(url, folder)]
  if (url) instances.push(await startInstance(url, folder))
  try {
    const urls = instances.map((one) => one.url)
    const form = formWith(await archive([]), 'items.zip')
    await send(urls[0] ?? '', { method: 'POST', path: '/api/plugins/install/zip', form })
    let done = 0
    const share = () => done / how.operations
    const counts: Record<string, number> = {}
    const writing = writeAll(urls, sql, how, (name) => {
      counts[name] = (counts[name] ?? 0) + 1
      done++
    })
    const follower = follow(urls)
    const killed = await killMeanwhile(instances, how.kills, share)
    await writing
    const held = await follower.end()
    return report(how, killed, counts, held, await tableOf(instances[0] as Instance))
  } finally {
    for (const one of instances) await one.stop()
    await sql?.end()
  }
}

async function writeAll(
  urls: string[],
  sql: Sql | null,
  { operations, seed }: How,
  onDone: (name: string) => void,
): Promise<void> {
  let begun = 0
  let step = seed * 1e6
  const writer = async (n: number) => {
    let at = n
    const random = (below: number) => randomInteger(step++, below)
    while (begun++ < operations) {
      const ready = { url: () => urls[at % urls.length] ?? '', random, sql }
      const answer = await anyOperation(ready)(ready)
      onDone(nameOf(answer?.status))
      if (answer?.status !== 0) continue
      at++ // to the other instance
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(n)))
}

const nameOf = (status = 200): string => {
  if (status === 0) return 'broken off'
  return status < 300 ? 'done' : status < 500 ? 'refused' : `with ${status}`
}

function follow(urls: string[]) {
  const settings = { urls, entity: ENTITY, key: AUTHORIZATION }
  const args = ['bench/torture/follower.mjs', JSON.stringify(settings)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill())
  const output = text(child.stdout)
  return {
    end: async (): Promise<Held> => {
      child.stdin.end('end\n')
      return JSON.parse(await output)
    },
  }
}

async function tableOf({ url }: Instance): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let page = 0; ; page++) {
    const path = `/api/entities/${ENTITY}?size=250&sort=id&page=${page}`
    const { data } = await send(url, { method: 'GET', path })
    if (!data) throw new Error('The table could not be read')
    for (const record of data) found.set(String(record.id), canonical(record))
    if (data.length < 250) return found
  }
}

const canonical = (record: unknown): string =>
  JSON.stringify(
    Object.entries(record as object)
      .filter(([name]) => name !== 'persistenceId')
      .sort(),
  )

function report(
  { operations, seed }: How,
  killed: number,
  counts: Record<string, number>,
  held: Held,
  table: Map<string, string>,
): Line[] {
  const copy = new Map(held.records.map(([key, record]) => [key, canonical(record)]))
  const keys = new Set([...table.keys(), ...copy.keys()])
  const different = [...keys].filter((key) => table.get(key) !== copy.get(key))
  const words = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  const examples = different.slice(0, 3).map((key) => `${table.get(key)} ≠ ${copy.get(key)}`)
  return [
    {
      title: `copy after ${operations} operations by ${WRITERS} writers, seed ${seed}`,
      result: `${words.join(', ')}; ${killed} kills; ${held.changes} changes followed over ${held.streams} streams and ${held.moves} moves; ${table.size} records, ${different.length} differences ${examples.join(' ')}`,
      isGood: different.length === 0 && table.size > 0,
    },
    {
      title: 'changes as they were followed',
      result: `${held.repeated} came twice, ${held.outOfOrder} did not fit the record as it was before ${held.faults.join(' ')}`,
      isGood: held.repeated === 0 && held.outOfOrder === 0,
    },
  ]
}
