import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const MS_OF_TICK = 10

/**
 * Processor time in ms that a process and its descendants have used so far, those that have ended
 * included; null where the system does not tell. Between two readings it is independent of how busy
 * the machine is otherwise.
 */
export function cpuMs(pid: number): number | null {
  const processes = treeOf(pid)
  if (!processes) return null
  return processes.reduce((sum, { ticks }) => sum + ticks, 0) * MS_OF_TICK
}

/** Resident memory in MiB of the largest of a process and its descendants; null where the system does not tell. */
export function residentMib(pid: number): number | null {
  const processes = treeOf(pid)
  if (!processes) return null
  return (Math.max(...processes.map(({ pages }) => pages)) * BYTES_OF_PAGE) / 2 ** 20
}

/** As above, of the most that each had at any time. */
export function peakMib(pid: number): number | null {
  const processes = treeOf(pid)
  if (!processes) return null
  return Math.max(...processes.map(({ id }) => peakKib(id))) / 1024
}

function peakKib(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0 // it has ended meanwhile
  }
}

const BYTES_OF_PAGE = 4096

/** Open files and connections of a process and its descendants; 0 where the system does not tell. */
export function openFiles(pid: number): number {
  const counts = (treeOf(pid) ?? []).map(({ id }) => {
    try {
      return readdirSync(`/proc/${id}/fd`).length
    } catch {
      return 0 // it has ended meanwhile
    }
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

/** The process and its descendants. */
function treeOf(pid: number): Process[] | null {
  const processes = readProcesses()
  if (!processes?.has(pid)) return null
  const tree = new Set([pid])
  for (let size = 0; size < tree.size; ) {
    size = tree.size
    for (const [id, { parent }] of processes) if (tree.has(parent)) tree.add(id)
  }
  return [...tree].flatMap((id) => processes.get(id) ?? [])
}

type Process = { id: number; parent: number; ticks: number; pages: number }

function readProcesses(): Map<number, Process> | null {
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return new Map(ids.flatMap((id) => readProcess(Number(id))))
  } catch {
    return null
  }
}

function readProcess(id: number): [number, Process][] {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8')
    // The name in parentheses may contain spaces; behind it: state, parent, … utime, stime, cutime, cstime … resident pages.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0)
    return [[id, { id, parent: fields[1] ?? 0, ticks, pages: fields[21] ?? 0 }]]
  } catch {
    return [] // it has ended meanwhile
  }
}
