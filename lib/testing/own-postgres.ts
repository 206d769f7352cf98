import { readFileSync } from 'node:fs'
import { startThrowawayPostgres } from '../../scripts/steps/throwaway-postgres.mjs'

/** A PostgreSQL server that a test may freeze, halt and restart. */
export type OwnPostgres = {
  url: string
  /** Stops all its processes: connections stay open, but nothing responds. */
  freeze: () => void
  thaw: () => void
  /** Ends it immediately; `restart` starts it again with its data. */
  halt: () => void
  /** As `halt`, by `kill -9` of all its processes. */
  kill: () => void
  restart: () => void
  /**
   * Ends a process that serves a connection by `kill -9`: the server then ends all its others, and recovers. Returns
   * whether it still has to end some.
   */
  killConnection: () => () => boolean
  /** Starts a streaming replica of it. */
  replicate: () => Promise<OwnPostgres>
  stop: () => void
}

/** Null, with a note on the terminal, if no server is available. */
export async function startOwnPostgres(): Promise<OwnPostgres | null> {
  const server = await startThrowawayPostgres({ inMemory: true })
  if (!server) {
    process.stderr.write('SKIPPED: no PostgreSQL server can be started on this machine\n')
    return null
  }
  return ownOf(server)
}

type Server = NonNullable<Awaited<ReturnType<typeof startThrowawayPostgres>>>

function ownOf(server: Server): OwnPostgres {
  let frozen: number[] = []
  const thaw = () => {
    for (const pid of frozen.splice(0)) signal(pid, 'SIGCONT')
  }
  return {
    url: server.url,
    freeze: () => {
      frozen = [server.pid, ...childrenOf(server.pid)]
      for (const pid of frozen) signal(pid, 'SIGSTOP')
    },
    thaw,
    halt: server.halt,
    kill: () => {
      for (const pid of [server.pid, ...childrenOf(server.pid)]) signal(pid, 'SIGKILL')
    },
    killConnection: () => {
      const before = childrenOf(server.pid)
      signal(Math.max(...before), 'SIGKILL')
      return () => childrenOf(server.pid).some((pid) => before.includes(pid))
    },
    restart: server.restart,
    replicate: async () => ownOf(await server.replicate()),
    stop: () => {
      thaw()
      server.stop()
    },
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has already ended.
  }
}
