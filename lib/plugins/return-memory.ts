import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const MIB = 1024 * 1024

/** Below it, collecting garbage costs more than it returns. */
const LARGE_BYTES = 384 * MIB
/** For the last references to an archive to go. */
const DELAY_MS = 50

let timer: NodeJS.Timeout | undefined

/**
 * Collects garbage soon if the process takes much memory. What a large archive took would otherwise be kept until something
 * else needs it, as V8 collects what is old only when it grows further.
 */
export function returnMemory(largeBytes = LARGE_BYTES): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (process.memoryUsage.rss() > largeBytes) collector()()
  }, DELAY_MS).unref()
}

let collect: (() => void) | undefined

/** V8's own function, which is only there with a flag; the flag may be set while it runs. */
function collector(): () => void {
  if (collect) return collect
  setFlagsFromString('--expose-gc')
  const found: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect = found
  return found
}
