import autocannon from 'autocannon'
import type { Call } from './cases'
import { AUTHORIZATION } from './servers'

export type Load = { requests: number; seconds: number }

const headersOf = ({ type, etag, key }: Call): Record<string, string> => ({
  authorization: key ? `Bearer ${key}` : AUTHORIZATION,
  ...(etag ? { 'if-none-match': etag } : {}),
  ...(type ? { 'content-type': type } : {}),
})

/** Fewer say little; on a busy machine, the round is repeated and takes longer. */
const LEAST_REQUESTS = 30
const MAX_SECONDS = 20

export type Expected = '2xx' | '3xx' | '4xx'

type LoadOptions = { connections: number; seconds: number; expected?: Expected }

/** Requests for some seconds; throws when the status of one in 200 is not as expected. */
export async function load(
  url: string,
  callOf: (n: number) => Call,
  { connections, seconds, expected = '2xx' }: LoadOptions,
): Promise<Load> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: 20,
    requests: [{ setupRequest: (request) => ({ ...request, ...requestOf(callOf(next++)) }) }],
  })
  const good = result[expected]
  if (good < LEAST_REQUESTS && seconds < MAX_SECONDS)
    return load(url, callOf, { connections, seconds: 3 * seconds, expected })
  const all = result['2xx'] + result.non2xx + result.errors + result.timeouts
  if (good === 0 || all - good > good / 200)
    throw new Error(`${all - good} of ${all} requests did not get ${expected}`)
  return { requests: good, seconds: result.duration }
}

/** Some work, and writes beside it, 20 a second until it has ended; throws when one is refused. */
export async function withWrites<T>(
  url: string,
  callOf: (n: number) => Call,
  work: () => Promise<T>,
): Promise<T> {
  let isOver = false
  const write = async () => {
    while (!isOver) {
      const pause = new Promise((resolve) => setTimeout(resolve, MS_BETWEEN_WRITES))
      const response = await request(url, callOf(next++))
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      await pause
    }
  }
  const working = work().finally(() => {
    isOver = true
  })
  const [done] = await Promise.all([working, write()])
  return done
}

const MS_BETWEEN_WRITES = 50

/** One request. */
export async function request(url: string, call: Call): Promise<Response> {
  const { method, path, body } = call
  return fetch(url + path, { method, body, headers: headersOf(call) })
}

/** Counts through all rounds, so that a request that must differ always does. */
let next = 1

function requestOf(call: Call): autocannon.Request {
  const body = typeof call.body === 'object' ? Buffer.from(call.body) : call.body
  return { method: call.method, path: call.path, headers: headersOf(call), body }
}
