import { type Call, get, send } from './cases'
import { LEAST_GAIN_OF_WORKERS } from './goals'
import { type Expected, load, request } from './load'
import type { Options } from './options'
import { PEOPLE, person } from './people'
import { noiseOf, quantile } from './rounds'
import type { Server } from './servers'

/** A line of the results: what was measured, its result, and its goal, empty where it has none. */
export type Say = (title: string, result: string, goal: string, isMet: boolean) => void

type Work = { title: string; call: (n: number) => Call; expected?: Expected; isGoal?: boolean }

const DESCRIPTION = '/api/openapi.json'
/** Of each worker, until it has compiled what the requests run. */
const WARM_UP_SECONDS = 6
const LEAST_ROUNDS = 9

/** Requests per second of two workers to those of one, for work that keeps them more or less busy. */
export async function measureWorkers(one: Server, two: Server, options: Options, say: Say) {
  for (const work of await worksOf(one)) {
    await load(one.url, work.call, { ...how(work), seconds: WARM_UP_SECONDS })
    await load(two.url, work.call, { ...how(work), seconds: 2 * WARM_UP_SECONDS })
    const ratios: number[] = []
    for (let round = 0; round < Math.max(options.rounds, LEAST_ROUNDS); round++)
      ratios.push(await ratioOf(one, two, work, options.seconds, round % 2 === 0))
    const ratio = quantile(ratios, 0.5)
    const noise = noiseOf(ratios)
    const goal = work.isGoal ? `${LEAST_GAIN_OF_WORKERS}×` : ''
    const isMet = !work.isGoal || ratio + noise >= LEAST_GAIN_OF_WORKERS
    const result = `${ratio.toFixed(2)}× ± ${noise.toFixed(2)}`
    say(`two workers to one: ${work.title}`, result, goal, isMet)
  }
}

/** The goal is for the description, which the server makes without the database; of the others, the database or the load take more. */
async function worksOf(server: Server): Promise<Work[]> {
  const etag = (await request(server.url, get(DESCRIPTION))).headers.get('etag') ?? ''
  const records = Array.from({ length: 500 }, (_, n) => ({ ...person(n), age: 'old' }))
  const batch = send('POST', '/api/entities/Member/batch', records)
  return [
    {
      title: 'records by id',
      call: (n) => get(`/api/entities/Person/${1 + ((n * 7919) % PEOPLE)}`),
    },
    {
      title: 'the description of the API, which the client has already',
      call: () => ({ ...get(DESCRIPTION), etag }),
      expected: '3xx',
      isGoal: true,
    },
    { title: 'the description of the API', call: () => get(DESCRIPTION), isGoal: true },
    { title: 'batches of 500 records that are refused', call: () => batch, expected: '4xx' },
  ]
}

async function ratioOf(one: Server, two: Server, work: Work, seconds: number, isOneFirst: boolean) {
  const rate = async ({ url }: Server) => {
    const done = await load(url, work.call, { ...how(work), seconds })
    return done.requests / done.seconds
  }
  if (!isOneFirst) return (await rate(two)) / (await rate(one))
  const single = await rate(one)
  return (await rate(two)) / single
}

const how = ({ expected }: Work) => ({ connections: 16, expected })
