import { setTimeout as wait } from 'node:timers/promises'

/** How long an answer may take after the request was sent, and parts of it, in milliseconds: five minutes, as `fetch` has them. */
const SEND_MS = 10 * 60_000
/** Before the second and the third try, in milliseconds. */
const PAUSES_MS = [200, 2_000]

/** `fetch` that tries again what failed on the way, or by a fault of the service. Bodies are texts or buffers. */
export const fetchAgain =
  (stop?: AbortSignal): typeof fetch =>
  async (input, init) => {
    for (const pause of [...PAUSES_MS, null]) {
      // Reading a large answer takes as long as it takes, while some of it comes.
      const limit = init?.method === 'GET' ? [] : [AbortSignal.timeout(SEND_MS)]
      const signal = AbortSignal.any([...limit, ...(stop ? [stop] : [])])
      const response = await fetch(input, { ...init, signal }).catch((error) => {
        if (pause === null || stop?.aborted) throw error
        return null
      })
      if (response && (pause === null || !isTemporary(response.status))) return response
      await response?.body?.cancel()
      if (pause !== null) await wait(pause, undefined, stop ? { signal: stop } : {})
    }
    throw new Error('Not reached')
  }

const isTemporary = (status: number) => status === 429 || status >= 500
