import { peakMib } from '../http/cpu'
import { install } from '../http/data'
import { PEOPLE, peopleArchive } from '../http/people'
import { AUTHORIZATION, startEngine } from '../http/servers'
import { archiveUpload } from '../http/write-cases'
import type { Line } from './report'

const MIB = 600
/** As long as a health check of an orchestrator waits. */
const SLOWEST_MS = 1_000

/** An install into the embedded database: the memory of the process, and how long others wait meanwhile. */
export async function measureEmbedded(folder: string): Promise<Line[]> {
  const archive = await archiveUpload(await peopleArchive(['Member'], PEOPLE))
  const server = await startEngine('', folder)
  const watch = watchHealth(server.url)
  const from = performance.now()
  await install(server, archive)
  const seconds = (performance.now() - from) / 1000
  const slowest = await watch.stop()
  const total = await totalOf(server.url)
  const mib = peakMib(server.pid) ?? Number.NaN
  await server.stop()
  return [
    {
      title: `install of ${PEOPLE} records`,
      result: `${total} records in ${seconds.toFixed(1)} s; at most ${Math.round(mib)} MiB (goal ${MIB})`,
      isGood: total === PEOPLE && mib <= MIB,
    },
    {
      title: 'health beside it',
      result: `after at most ${Math.round(slowest)} ms (goal ${SLOWEST_MS})`,
      isGood: slowest <= SLOWEST_MS,
    },
  ]
}

/** Asks for the health again and again; `stop` returns the longest time in ms. */
function watchHealth(url: string) {
  let isStopped = false
  const slowest = (async () => {
    let longest = 0
    while (!isStopped) {
      const from = performance.now()
      const { ok } = await fetch(`${url}/api/health`)
      longest = Math.max(longest, ok ? performance.now() - from : Number.POSITIVE_INFINITY)
    }
    return longest
  })()
  return {
    stop: () => {
      isStopped = true
      return slowest
    },
  }
}

async function totalOf(url: string): Promise<number> {
  const headers = { authorization: AUTHORIZATION }
  const response = await fetch(`${url}/api/entities/Member?size=1`, { headers })
  return (await response.json()).pagination.total
}
