import { isOwnWrite, isWriting } from '@/lib/http/own-writes'
import type { LiveChange } from './live-change'
import { subscribe } from './shared-stream'

const GATHERED_MS = 150
/** A change may be heard of before the response to the request that made it. */
const MAX_HELD_MS = 3_000

type Listener = {
  onChanges: (changes: LiveChange[]) => void
  /** Something may have been missed. */
  onGap: () => void
  onRefused?: () => void
}

/** Follows the changes of an entity's records that this tab did not make itself, some at a time. Returns how to end it. */
export function followOthers(entity: string, { onChanges, onGap, onRefused }: Listener) {
  let gathered: LiveChange[] = []
  let since = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    if (isWriting() && performance.now() - since < MAX_HELD_MS) {
      wait()
      return
    }
    const others = gathered.filter(({ requestId }) => !isOwnWrite(requestId))
    gathered = []
    if (others.length > 0) onChanges(others)
  }
  const wait = () => {
    timer ??= setTimeout(flush, GATHERED_MS)
  }
  const end = subscribe(entity, (event) => {
    if (event.type === 'gap') onGap()
    if (event.type === 'refused') onRefused?.()
    if (event.type !== 'change') return
    if (gathered.length === 0) since = performance.now()
    gathered.push(event.change)
    wait()
  })
  return () => {
    clearTimeout(timer)
    end()
  }
}
