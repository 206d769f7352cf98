import { parseExactJson } from '@/lib/values/exact-json'
import type { FileLog, History } from './searches'

type Listener = {
  onFile: (file: FileLog) => void
  onProgress: (install: History) => void
  onResult: (install: History) => void
  /** The stream ended for good without a result. */
  onLost: () => void
}

/** Follows a running install, also over lost connections, until its result. Returns a function that stops it. */
export function followInstall(id: number, listener: Listener): () => void {
  const source = new EventSource(`/api/plugins/history/${id}/events`)
  const on = <T>(name: string, act: (data: T) => void) =>
    source.addEventListener(name, (event) => act(parseExactJson((event as MessageEvent).data) as T))
  on<FileLog>('file', listener.onFile)
  on<History>('progress', listener.onProgress)
  on<History>('result', (install) => {
    source.close()
    listener.onResult(install)
  })
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) listener.onLost()
  }
  return () => source.close()
}
