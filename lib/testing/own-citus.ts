import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect } from 'vitest'
import { openPostgres } from '@/lib/db/postgres'
import type { Database } from '@/lib/db/sql'
import { startThrowawayCitus } from '../../scripts/steps/throwaway-citus.mjs'

/** A cluster of a test file alone, of whose workers one may be killed. */
export type OwnCitus = Database & {
  /** Kills a worker as `kill -9` does. */
  kill: () => void
  /** Starts the worker again and ends what it had promised to commit or to undo. */
  recover: () => Promise<void>
}

/** Starts a cluster for the tests of a file; filled in before the first. */
export function ownCitus(): OwnCitus {
  const own = {} as OwnCitus
  let cluster: Awaited<ReturnType<typeof startThrowawayCitus>> | undefined
  beforeAll(async () => {
    cluster = await startThrowawayCitus()
    const database = await openPostgres({ url: cluster.url, poolSize: 4 })
    Object.assign(own, database, handlesOf(cluster.nodes[1] ?? '', database))
  })
  afterAll(async () => {
    await own.close?.()
    cluster?.stop()
  })
  return own
}

function handlesOf(worker: string, { db }: Database): Pick<OwnCitus, 'kill' | 'recover'> {
  // With the options of its first start; as soon as the processes that were left have noticed.
  const restart = () => {
    const args = ['-u', 'postgres', '--', '/usr/lib/postgresql/15/bin/pg_ctl', '-w', 'restart']
    const options = { stdio: 'ignore', cwd: '/tmp' } as const
    return spawnSync('runuser', [...args, '-D', worker], options).status === 0
  }
  return {
    kill() {
      const [pid] = readFileSync(join(worker, 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    async recover() {
      await expect.poll(restart).toBe(true)
      // Connections of the coordinator to it may be left over.
      const recovered = () => db.execute(sql`select recover_prepared_transactions()`).then(yes, no)
      await expect.poll(recovered).toBe(true)
    },
  }
}

const yes = () => true
const no = () => false
