import { once } from 'node:events'
import { watch } from 'chokidar'

/** An editor writes several files for one save. */
const SETTLED_MS = 150

/** Yields at once, and after changes of files below a folder have settled, until the signal aborts. */
export async function* changesOf(folder: string, signal: AbortSignal): AsyncGenerator<void> {
  const isHidden = (path: string) => /[/\\](\.[^/\\]*|node_modules)$|\.zip$/.test(path)
  const watcher = watch(folder, {
    ignored: isHidden,
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: SETTLED_MS, pollInterval: 50 },
  })
  const changed = new Changes(signal)
  watcher.on('all', () => changed.note())
  try {
    await once(watcher, 'ready', { signal })
    while (!signal.aborted) {
      yield
      await changed.next()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await watcher.close()
  }
}

/** Several changes while the consumer is at work are one. */
class Changes {
  private isChanged = false
  private wake = () => {}

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.wake(), { once: true })
  }

  note(): void {
    this.isChanged = true
    this.wake()
  }

  async next(): Promise<void> {
    while (!this.isChanged && !this.signal.aborted)
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    this.isChanged = false
  }
}
