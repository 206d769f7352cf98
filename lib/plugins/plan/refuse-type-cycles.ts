import type { TypeDefinition } from '@/lib/definitions/definition'
import { typeKey } from '@/lib/definitions/property-types'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { FileFailure } from '@/lib/plugins/verdict'
import { findCycle } from './dependency-cycle'

/** Files with types based on each other in a cycle can't be installed in any order. */
export function refuseTypeCycles(
  files: readonly PlannedFile[],
  installed: readonly TypeDefinition[],
): PlannedFile[] {
  const types = [...installed, ...files.flatMap(typesOf)]
  const bases = new Map(
    types.map(({ name, baseType }) => [typeKey(name), [typeKey(baseType)] as const]),
  )
  const cycles = new Map<string, string[]>()
  for (let cycle = findCycle(bases); cycle; cycle = findCycle(bases)) {
    for (const key of cycle) {
      cycles.set(key, cycle)
      bases.delete(key)
    }
  }
  return files.map((file) => refuse(file, cycles))
}

const typesOf = ({ definitions }: PlannedFile) =>
  definitions?.kind === 'type' ? definitions.items : []

function refuse(file: PlannedFile, cycles: ReadonlyMap<string, string[]>): PlannedFile {
  const details = typesOf(file).flatMap(({ name, baseType }, index) => {
    const cycle = cycles.get(typeKey(name))
    if (!cycle) return []
    const message = `The types ${cycle.join(' → ')} are based on each other`
    return [{ index, pointer: '/baseType', value: baseType, message }]
  })
  if (details.length === 0 || file.failure) return file
  return { ...file, failure: new FileFailure('Invalid definition', details) }
}
