import 'server-only'
import { AppError } from '@/lib/errors'

type Cancellation = { stop: AbortController; by: string | null }

// On `globalThis`: an install runs in one route's bundle and is cancelled by another's.
const shared = globalThis as typeof globalThis & {
  __engineCancellations?: Map<number, Cancellation>
}
shared.__engineCancellations ??= new Map()
const running = shared.__engineCancellations

/** Lets install `id` be cancelled by this process until the result is called. */
export function allowCancellation(id: number, stop: AbortController): () => void {
  running.set(id, { stop, by: null })
  return () => running.delete(id)
}

/** Stops an install that this process runs: its statement, its wait. False when it runs none of this number. */
export function stopCancelled(id: number, by: string): boolean {
  const found = running.get(id)
  if (!found || found.by !== null) return false
  found.by = by
  // Ends the install where an error of one file would only end that file.
  found.stop.abort(new AppError('unavailable', 'The installation was cancelled'))
  return true
}

/** Who cancelled an install that this process runs; null while nobody has. */
export const cancelledBy = (id: number): string | null => running.get(id)?.by ?? null
