/** A process that reads workbooks, for tests of what that costs. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { xlsxFile } from '../../open-file'
import type { SourceRow } from '../../source'

export type Reading = {
  rows: number
  first: SourceRow[]
  fault: string | null
  /** Of all threads. */
  cpuSeconds: number
  /** By what the process grew meanwhile, at most. */
  grownMib: number
}

/** Rows that an import holds at a time. */
const HELD_BATCHES = 16

async function read(path: string): Promise<Omit<Reading, 'cpuSeconds' | 'grownMib'>> {
  const found = { rows: 0, first: [] as SourceRow[], fault: null as string | null }
  const held: SourceRow[][] = []
  try {
    const source = await xlsxFile(path, undefined)
    for await (const batch of source.rows(() => {})) {
      found.rows += batch.length
      if (found.first.length < 5) found.first.push(...batch.slice(0, 5))
      held.push(batch)
      if (held.length > HELD_BATCHES) held.shift()
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'FileFault') throw error
    found.fault = error.message
  }
  return found
}

/** The memory of this process, now or at most. */
const memoryMib = (name: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(status)?.[1]) / 1024
}

console.log('true')
for await (const line of createInterface({ input: process.stdin })) {
  const before = process.cpuUsage()
  writeFileSync('/proc/self/clear_refs', '5') // the peak begins anew
  const startMib = memoryMib('VmRSS')
  const found = await read(JSON.parse(line).path)
  const { user, system } = process.cpuUsage(before)
  const first = found.first.slice(0, 2).map((row) => ('cells' in row ? row.cells.slice(0, 5) : []))
  console.log(
    JSON.stringify({
      ...{ ...found, first, cpuSeconds: (user + system) / 1e6 },
      grownMib: memoryMib('VmHWM') - startMib,
    }),
  )
}
process.exit(0)
