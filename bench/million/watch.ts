import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Sql } from 'postgres'
import { cpuMs } from '../http/cpu'

const MIB_OF_KB = 1 / 1024
const INTERVAL_MS = 100

/** What a step took: memory in MiB, processor time and temporary files of the database. */
export type Used = {
  seconds: number
  serverCpu: number
  databaseCpu: number
  /** The most that the server's process had in memory. */
  serverMiB: number
  /** The most that one backend had in memory of its own. */
  backendMiB: number
  temporaryMiB: number
}

/** Runs `work` and watches the server's and the database's processes meanwhile. Linux only. */
export async function watched(
  pids: { server: number; database: number },
  sql: Sql,
  work: () => Promise<void>,
): Promise<Used> {
  const servers = descendants(pids.server)
  for (const pid of servers) writeFileSync(`/proc/${pid}/clear_refs`, '5') // sets the peak to the present value
  const before = {
    temporary: await temporaryMiB(sql),
    server: cpuMs(pids.server) ?? 0,
    database: cpuMs(pids.database) ?? 0,
  }
  let backendMiB = 0
  const look = () => {
    for (const pid of descendants(pids.database))
      backendMiB = Math.max(backendMiB, statusMiB(pid, 'RssAnon'))
  }
  const timer = setInterval(look, INTERVAL_MS)
  const startedAt = performance.now()
  await work().finally(() => clearInterval(timer))
  return {
    seconds: (performance.now() - startedAt) / 1000,
    serverCpu: ((cpuMs(pids.server) ?? 0) - before.server) / 1000,
    databaseCpu: ((cpuMs(pids.database) ?? 0) - before.database) / 1000,
    serverMiB: Math.max(...servers.map((pid) => statusMiB(pid, 'VmHWM'))),
    backendMiB,
    temporaryMiB: (await temporaryMiB(sql)) - before.temporary,
  }
}

async function temporaryMiB(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: string }[]>`
    select sum(temp_bytes) as bytes from pg_stat_database`
  return Number(row?.bytes ?? 0) / 1024 / 1024
}

/** A process and all below it. */
function descendants(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const pid = Number(name)
    const parent = /^PPid:\s+(\d+)/m.exec(read(pid))?.[1]
    if (parent) parents.set(pid, Number(parent))
  }
  const found = [root]
  for (const pid of found)
    for (const [child, parent] of parents) if (parent === pid) found.push(child)
  return found
}

function statusMiB(pid: number, field: 'VmHWM' | 'RssAnon'): number {
  const kb = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(read(pid))?.[1]
  return Number(kb ?? 0) * MIB_OF_KB
}

function read(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return '' // it has ended
  }
}
