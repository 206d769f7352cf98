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
  restart: () => void
  /** Starts a streaming replica of it. */
  replicate: () => Promise<OwnPostgres>
  stop: () => void
}

/** Null, with a note on the terminal, if no server is available. */
export async function startOwnPostgres(): Promise<OwnPostgres | null> {
  const server = await startThrowawayPostgres()
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
