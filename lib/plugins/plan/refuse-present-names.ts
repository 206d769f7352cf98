import type { PlannedFile } from '@/lib/plugins/plugin-file'
import { FileFailure } from '@/lib/plugins/verdict'

/** An entity that the archive defines itself can't be the former name of another one. */
export function refusePresentNames(files: readonly PlannedFile[]): PlannedFile[] {
  const defined = new Set(
    files.flatMap(({ definitions }) =>
      definitions?.kind === 'entity' ? definitions.items.map(({ name }) => name) : [],
    ),
  )
  return files.map((file) => {
    if (file.failure || file.definitions?.kind !== 'entity') return file
    const details = file.definitions.items.flatMap(({ renamedFrom = [] }, index) =>
      renamedFrom
        .filter((name) => defined.has(name))
        .map((value) => ({ index, pointer: '/renamedFrom', value, message: messageFor(value) })),
    )
    if (details.length === 0) return file
    return { ...file, failure: new FileFailure('Invalid definition', details) }
  })
}

const messageFor = (name: string) => `The archive defines "${name}" too, so it was not renamed`
