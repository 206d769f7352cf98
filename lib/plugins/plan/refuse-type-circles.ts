import type { TypeDefinition } from '@/lib/definitions/definition'
import { typeKey } from '@/lib/definitions/property-types'
import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { FileFailure } from '@/lib/plugins/verdict'
import { findCycle } from './dependency-cycle'

/** Files with types based on each other in a cycle can't be installed in any order. */
export function refuseTypeCircles(
  files: readonly PlannedFile[],
  installed: readonly TypeDefinition[],
): PlannedFile[] {
  const types = [...installed, ...files.flatMap(typesOf)]
  const bases = new Map(
    types.map(({ name, baseType }) => [typeKey(name), [typeKey(baseType)] as const]),
  )
  const circles = new Map<string, string[]>()
  for (let circle = findCycle(bases); circle; circle = findCycle(bases)) {
    for (const key of circle) {
      circles.set(key, circle)
      bases.delete(key)
    }
  }
  return files.map((file) => refuse(file, circles))
}

const typesOf = ({ definitions }: PlannedFile) =>
  definitions?.kind === 'type' ? definitions.items : []

function refuse(file: PlannedFile, circles: ReadonlyMap<string, string[]>): PlannedFile {
  const details = typesOf(file).flatMap(({ name, baseType }, index) => {
    const circle = circles.get(typeKey(name))
    if (!circle) return []
    const message = `The types ${circle.join(' → ')} are based on each other`
    return [{ index, pointer: '/baseType', value: baseType, message }]
  })
  if (details.length === 0 || file.failure) return file
  return { ...file, failure: new FileFailure('Invalid definition', details) }
}
