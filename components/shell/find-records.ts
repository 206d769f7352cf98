import { api } from '@/lib/http/client'
import type { FoundRecord } from '@/lib/search/find-contract'

/** Typing goes on: the search begins when it has paused. */
const PAUSE_MS = 150
const FEWEST_LETTERS = 2

/** Records whose key is `term` or whose texts contain it. */
export async function findRecordsOf(term: string, signal: AbortSignal): Promise<FoundRecord[]> {
  if (term.length < FEWEST_LETTERS && !/^\d$/.test(term)) return []
  await pause(signal)
  const { data } = await api<FoundRecord>('/api/records', { query: { term }, signal })
  return data
}

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, PAUSE_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

export const recordAddress = ({ entity, persistenceId }: FoundRecord) =>
  `/entities/${encodeURIComponent(entity)}?record=${encodeURIComponent(persistenceId)}`
