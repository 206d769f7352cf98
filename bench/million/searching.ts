import { quantile } from '../http/rounds'
import { send } from './send'

const PAUSE_MS = 50

/** Searches users, as a page of the console does, until it is stopped. */
export function beginSearching(url: string) {
  const times: number[] = []
  let isDone = false
  const searching = (async () => {
    while (!isDone) {
      const sentAt = performance.now()
      await send(url, { method: 'GET', path: '/api/entities/EngineUsers?size=10' })
      times.push(performance.now() - sentAt)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  })()
  searching.catch(() => {}) // thrown when it is awaited
  return async () => {
    isDone = true
    await searching
    return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
  }
}
