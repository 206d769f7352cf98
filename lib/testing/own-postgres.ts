import { readFileSync } from 'node:fs'
import { startThrowawayPostgres } from '../../scripts/steps/throwaway-postgres.mjs'

/** A PostgreSQL server that a test may freeze, halt and restart. */
export type OwnPostgres = {
  url: string
  /** Stops all its processes where they are: connections stay open, nothing is answered. */
  freeze: () => void
  thaw: () => void
  /** Ends it at once; `restart` brings it back with its data. */
  halt: () => void
  restart: () => void
  stop: () => void
}

/** Null, said on the terminal, where there is no server to be had. */
export async function startOwnPostgres(): Promise<OwnPostgres | null> {
  const server = await startThrowawayPostgres()
  if (!server) {
    process.stderr.write('SKIPPED: no PostgreSQL server can be started on this machine\n')
    return null
  }
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
    // It has ended by itself.
  }
}
